import { meet } from './meeting';

it('meets the other file', meet);
