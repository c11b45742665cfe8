/**
 * Chinese without the blanks that a program put between its words: nobody writes or says them. Blanks beside other
 * scripts stay.
 *
 * @example withoutWordBlanks('绿 是 阳春 卡拉 OK 版') // '绿是阳春卡拉 OK 版'
 */
export function withoutWordBlanks(text: string): string {
  return text.replace(/(?<=\p{Script=Han})[ \t]+(?=\p{Script=Han})/gu, '').trim();
}
