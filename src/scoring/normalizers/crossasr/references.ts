import type { NormalizerStep } from '../normalizer.ts';
import { rewrite } from './rewrite.ts';

/** What stands before a number: pattern of the written form, and the words for one and for more of it. */
const table: readonly (readonly [written: string, one: string, many: string])[] = [
  ['[Nn]os?\\.|Nos?|№', 'number', 'numbers'],
  ['#', 'number', 'numbers'],
  ['[Pp]p?\\.|pp', 'page', 'pages'],
  ['§§?', 'section', 'sections'],
  ['[Ss]ecs?\\.|[Ss]ects?\\.', 'section', 'sections'],
  ['¶¶?|[Pp]aras?\\.', 'paragraph', 'paragraphs'],
  ['[Cc]h(?:ap)?s?\\.', 'chapter', 'chapters'],
  ['[Vv]ols?\\.|Vol', 'volume', 'volumes'],
  ['[Ff]igs?\\.|Fig', 'figure', 'figures'],
  ['[Tt]ab\\.', 'table', 'tables'],
  ['[Ee]qs?\\.|[Ee]qns?\\.', 'equation', 'equations'],
  ['[Aa]rts?\\.', 'article', 'articles'],
  ['[Oo]p\\.', 'opus', 'opus'],
  ['[Aa]pps?\\.', 'appendix', 'appendices'],
  ['[Ee]x(?:s|amp)?\\.', 'example', 'examples'],
  ['[Rr]ef\\.', 'reference', 'references'],
  ['[Rr]m\\.', 'room', 'rooms'],
  ['[Ff]lt?\\.', 'floor', 'floors'],
  ['[Ee]xt\\.', 'extension', 'extensions'],
  ['[Vv]v?\\.', 'verse', 'verses'],
  ['[Ll]l\\.', 'lines', 'lines'],
  ['[Ee]pi?\\.', 'episode', 'episodes'],
  ['c\\.|[Cc]a\\.', 'circa', 'circa'],
  ['[Aa]pprox\\.?|[~≈]', 'approximately', 'approximately'],
  ['[Ee]st\\. (?:in )?(?=1\\d{3}|20\\d{2})', 'established', 'established'],
  ['b\\. (?=1\\d{3}|20\\d{2})', 'born', 'born'],
  ['d\\. (?=1\\d{3}|20\\d{2})', 'died', 'died'],
  ['[Mm]ax\\.', 'maximum', 'maximum'],
  ['[Mm]in\\.', 'minimum', 'minimum'],
  ['[Aa]vg\\.', 'average', 'average'],
  ['[Tt]el\\.', 'telephone', 'telephone'],
];
const patterns = table.map(([written, one, many]) => ({
  pattern: new RegExp(`(?<![\\p{L}\\d])(?<mark>${written}):? ?(?=[-+$£€]?\\.?\\d|(?:[IVXLC]{2,}|V|X)(?!\\p{L}))`, 'gu'),
  one,
  many,
}));
const further = /^\d[\d.]* ?(?:[-–,&]|and|to) ?\d/;
const century = /(?<=\d(?:st|nd|rd|th)) c\.(?!\p{L})/giu;
const millions = /(?<![\p{L}\d]|\d[.,])(\d+\.\d+|(?!3M )\d+(?=M \p{Ll}))M(?![\p{L}\d])/gu;
const sizes = /(?<=\d) ?(bn|mln|mn)(?![\p{L}\d])/gu;
const thousands =
  /(?<=(?<![\p{L}\d]|\d[.,])\d{1,3}(?:\.\d)?) ?[kK](?= (?:people|users|followers|views|viewers|subscribers|members|downloads|copies|jobs|words|likes|votes|visitors|customers|employees|fans|students|homes|dollars|euros|pounds)(?!\p{L}))/gu;
const versus = /(?<=\p{L}'?s? )v\. (?=\p{Lu})/gu;

/** Shortened words that point at a number: No. 5 "number five", pp. 3-7 "pages three to seven", § 5 "section five", ~5 "approximately five". */
export const references: NormalizerStep = {
  step: 'No., p., §, approx. before a number',
  apply(text) {
    let said = text
      .replace(versus, 'versus ')
      .replace(century, ' century')
      .replace(millions, '$1 million')
      .replace(thousands, ' thousand')
      .replace(sizes, (_, short) => (short === 'bn' ? ' billion' : ' million'));
    for (const { pattern, one, many } of patterns) {
      if (!pattern.test(said)) continue;
      pattern.lastIndex = 0;
      said = rewrite(said, pattern, ({ mark }, { after }) => {
        const doubled = /^(?:§§|¶¶|pp\.?)$/.test(mark!) || /[^s]s\.?$/.test(mark!);
        return `${doubled || further.test(after) ? many : one} `;
      });
    }
    return said;
  },
};
