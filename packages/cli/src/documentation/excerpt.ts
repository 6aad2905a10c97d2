import { isAsked } from './find-sections.ts'

const most = 220

/** The part of a section that has most of the words, on one line and without the marks of Markdown. */
export function excerptOf(text: string, words: readonly string[]) {
  const blocks = blocksOf(text)
  const scored = blocks.map((block) => ({
    block,
    score: words.filter((word) => isAsked(block.text, [word])).length * (block.isCode ? 0.4 : 1),
  }))
  const [best] = scored.toSorted((one, other) => other.score - one.score)
  return best ? cut(best.block.text, words) : ''
}

/** Paragraphs, tables by their rows, and code. */
function blocksOf(text: string) {
  return text
    .split(/^(```[^]*?^```)$/m)
    .flatMap((part) =>
      part.startsWith('```')
        ? [{ isCode: true, text: part.replace(/^```.*$/gm, '') }]
        : part.split(/\n{2,}|\n(?=\||[-*] |\d+\. )/).map((each) => ({ isCode: false, text: each })),
    )
    .map(({ isCode, text: each }) => ({ isCode, text: plain(each, isCode) }))
    .filter(({ text: each }) => each !== '')
}

function plain(text: string, isCode: boolean) {
  const bare = isCode
    ? text
    : text
        .replace(/^\|?[-|: ]+\|?$/gm, '')
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/^(?:[-*>]|\d+\.) /gm, '')
        .replace(/^\| *| *\|$/gm, '')
        .replace(/ *(?<!\\)\| */g, ' · ')
        .replace(/\*\*|`/g, '')
  return bare.replace(/\s+/g, ' ').trim()
}

/** Begins a few words before the first that was asked for, where the text is long. */
function cut(text: string, words: readonly string[]) {
  if (text.length <= most) return text
  const all = text.split(' ')
  const first = all.findIndex((word) => isAsked(word, words))
  const before = all.slice(0, first)
  const from = before.join(' ').length > most / 2 ? first - 8 : 0
  const kept: string[] = []
  let length = 0
  for (const word of all.slice(Math.max(0, from))) {
    length += word.length + 1
    if (length > most && kept.length > 0) break
    kept.push(word)
  }
  const isEnd = Math.max(0, from) + kept.length === all.length
  return `${from > 0 ? '… ' : ''}${kept.join(' ')}${isEnd ? '' : ' …'}`
}
