/** A punctuation command: the one word it becomes, the ways to say it, and the signs that recognizers write for it. */
export interface Command {
  readonly token: string;
  readonly spoken: readonly string[];
  readonly signs: readonly string[];
}

const quote = '(?:quotes?|quotation marks?|quotations?)';
const parenthesis = '(?:parens?|parenthes[ie]s|round brackets?)';
const opening = '(?:open|opening|begin|start|left)';
const closing = '(?:close|closed|closing|end|right)';

/** Commands of police and medical dictation (the examples of FairLENS, appendix C.4) and of the usual dictation programs. */
export const commands: readonly Command[] = [
  { token: 'period', spoken: ['period', 'full stop'], signs: ['.', '。'] },
  { token: 'comma', spoken: ['comma'], signs: [',', '，', '、'] },
  { token: 'question-mark', spoken: ['question mark'], signs: ['?', '？'] },
  { token: 'exclamation-point', spoken: ['exclamation (?:point|mark)'], signs: ['!', '！'] },
  { token: 'colon', spoken: ['colon'], signs: [':', '：'] },
  { token: 'semicolon', spoken: ['semi ?colon'], signs: [';', '；'] },
  { token: 'ellipsis', spoken: ['ellipsis', 'dot dot dot'], signs: ['…'] },
  { token: 'dash', spoken: ['(?:(?:em|en|m|n) )?dash'], signs: ['—', '–'] },
  { token: 'open-quote', spoken: [`${opening} ${quote}`], signs: ['“', '«', '„'] },
  { token: 'close-quote', spoken: [`${closing} ${quote}`, 'unquote', 'end of quote'], signs: ['”', '»'] },
  { token: 'open-parenthesis', spoken: [`${opening} ${parenthesis}`], signs: ['(', '（'] },
  { token: 'close-parenthesis', spoken: [`${closing} ${parenthesis}`], signs: [')', '）'] },
  { token: 'open-bracket', spoken: [`${opening} (?:square )?brackets?`], signs: ['['] },
  { token: 'close-bracket', spoken: [`${closing} (?:square )?brackets?`], signs: [']'] },
  { token: 'slash', spoken: ['(?:forward )?slash'], signs: ['/'] },
  { token: 'ampersand', spoken: ['ampersand'], signs: ['&'] },
  { token: 'asterisk', spoken: ['asterisk'], signs: ['*'] },
  { token: 'at-sign', spoken: ['at sign'], signs: ['@'] },
  { token: 'percent', spoken: ['percent(?: sign)?', 'per cent'], signs: ['%'] },
  { token: 'new-paragraph', spoken: ['(?:new|next) ?paragraph'], signs: ['¶'] },
  { token: 'new-line', spoken: ['(?:new|next) ?line'], signs: ['↵'] },
];
