export const notes: string[] = [];
