import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { isTest, walk } from '../../packages/cli/src/run/source-files.ts'

/** Words that make a sentence hard for a reader with another first language, or that hide who acts. */
const hard = {
  'whoever, whatever': /\b(?:whoever|whatever|whomever)\b/gi,
  'nobody, somebody, everybody': /\b(?:nobody|somebody|everybody|anybody)\b/gi,
  anew: /\banew\b/gi,
}

export type Words = keyof typeof hard
export const words = Object.keys(hard) as Words[]

/** Where people read it: a document, a message or a page, a comment. */
export const places = ['documents', 'messages', 'comments'] as const
type Place = (typeof places)[number]

interface Found {
  place: Place
  path: string
  line: number
  words: Words
  word: string
}

export interface Read {
  found: Found[]
  /** How many words there are in each place. */
  totals: Record<Place, number>
}

interface Text {
  place: Place
  path: string
  line: number
  text: string
}

/** Not ours to change: what was agreed, and what was released. */
const fixed = ['docs/specification/', 'CHANGELOG.md']
const roots = ['packages/', 'apps/', 'scripts/', 'bench/']
/** What people see of them is said by these alone. */
const shown = /^(?:packages|apps)\//

export function findWords(root: string): Read {
  const texts = walk(root)
    .filter(({ path, isFolder }) => !isFolder && !fixed.some((each) => path.startsWith(each)))
    .flatMap(({ path }) => textsOf(path, () => readFileSync(join(root, path), 'utf8')))
  const totals = { documents: 0, messages: 0, comments: 0 }
  for (const { place, text } of texts) totals[place] += countWords(text)
  return { found: texts.flatMap(hardWordsIn), totals }
}

function textsOf(path: string, read: () => string): Text[] {
  if (path.endsWith('.md')) {
    return [{ place: 'documents', path, line: 1, text: proseOf(read()) }]
  }
  const isSource = roots.some((each) => path.startsWith(each)) && /\.tsx?$/.test(path)
  return isSource && !isForTests(path) ? textsOfSource(path, read()) : []
}

const isForTests = (path: string) => isTest(path) || /(^|\/)(testing\/|trials\/|test-)/.test(path)

/** What is not prose becomes blank, so that the lines stay where they are. */
function proseOf(markdown: string) {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ')
  return markdown
    .replace(/```[\s\S]*?```/g, blank)
    .replace(/`[^`]*`/g, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/\]\([^)]*\)/g, blank)
}

function textsOfSource(path: string, source: string): Text[] {
  const texts: Text[] = []
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length
  const add = (place: Place, start: number, text: string) =>
    texts.push({ place, path, line: lineAt(start), text })
  // One or two words are a name more often than something to read.
  const addMessage = (start: number, text: string) => {
    if (shown.test(path) && countWords(text) > 2) add('messages', start, text)
  }
  const { program, comments } = parseSync(path, source)
  for (const { start, value } of comments) add('comments', start, value)
  new Visitor({
    Literal: ({ start, value }) => {
      if (typeof value === 'string') addMessage(start, value)
    },
    TemplateElement: ({ start, value }) => addMessage(start, value.cooked ?? value.raw),
    JSXText: ({ start, value }) => addMessage(start, value),
  }).visit(program)
  return texts
}

function hardWordsIn({ place, path, line, text }: Text): Found[] {
  return words.flatMap((each) =>
    [...text.matchAll(hard[each])].map(({ 0: word, index }) => {
      const below = text.slice(0, index).split('\n').length - 1
      return { place, path, line: line + below, words: each, word }
    }),
  )
}

function countWords(text: string) {
  return text.match(/[A-Za-z][A-Za-z'’-]*/g)?.length ?? 0
}
