import { Icon } from './icon';
import { usePage } from './page-context';

type CopyProps = {
  readonly text: string;
  readonly label: string;
  /** True where the text does not stand beside the button, so that people read what they copy. */
  readonly isLabelled?: boolean;
};

/** A button that copies a text. The page's script shows it, since nothing can be copied without script. */
export function Copy({ text, label, isLabelled = false }: CopyProps) {
  const { language } = usePage();
  return (
    <button
      type="button"
      class={isLabelled ? 'copy labelled no-print' : 'copy no-print'}
      hidden
      data-copy={text}
      data-copied={language.say('copy.done')}
    >
      <Icon name="copy" />
      <span class={isLabelled ? undefined : 'sr'} data-label>
        {label}
      </span>
    </button>
  );
}
