/** Data sets of Speech Robust Bench whose sounds are disturbed, by what their names are once only letters and digits are left. */
const datasets: Readonly<Record<string, string>> = { librispeech: 'LibriSpeech', tedlium: 'TEDLIUM', mlses: 'MLS-ES' };

/**
 * The data set of the benchmark that a corpus is, by its own name or by that of the loader; null where it is none.
 *
 * @example benchmarkDataset('ted-lium') // 'TEDLIUM'
 */
export function benchmarkDataset(corpus: string): string | null {
  const name = letters(corpus);
  return Object.hasOwn(datasets, name) ? datasets[name]! : null;
}

/**
 * Whether the paper compares recordings that are a scenario of their own with this corpus (arXiv 2403.07937v3):
 * LibriSpeech for English, Multilingual LibriSpeech for other languages. Its program takes the least clean rate of any.
 */
export function isPaperBaseline(corpus: string | null, language: string): boolean {
  if (corpus === null) return false;
  const name = letters(corpus);
  return language === 'en'
    ? name === 'librispeech'
    : ['multilinguallibrispeech', 'mls', `mls${language}`].includes(name);
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
