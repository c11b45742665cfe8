import { visibleText } from '../../base/visible-text.ts';

/**
 * A text that stands in Markdown (CommonMark 0.31 with GitHub's tables, autolinks, mentions and mathematics) for itself
 * alone: no emphasis, link, image, HTML, heading, list, cell border, mention or line break comes of it.
 *
 * @example escapeMarkdown('a|b <i>') // 'a\\|b &lt;i&gt;'
 */
export function escapeMarkdown(text: string): string {
  return (
    visibleText(text)
      .replace(/[\\`*_{}[\]()#!|~$^]/g, '\\$&')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // GitHub makes links of bare addresses and mentions after all escapes are resolved; an empty comment parts them.
      .replace(/@|:(?=\/\/)|(?<=\bwww)\.|#(?=\d)/gi, '$&<!-- -->')
      .replace(/^(\s*)([-+=])/, '$1\\$2')
      .replace(/^(\s*\d+)([.)])/, '$1\\$2')
  );
}
