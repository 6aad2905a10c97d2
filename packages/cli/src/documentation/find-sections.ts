import type { Section } from './pages.ts'

export interface Found {
  /** The best first. */
  sections: Section[]
  /** Words that are on no page. */
  unknown: string[]
}

/** Questions are asked with these, and every page has them. */
const small = new Set(
  'a add an and are as at be by can do does for from has have how i if in is it its make my need of on or that the this to use what when where which who why with'.split(
    ' ',
  ),
)

/** As many sections of one page: the others are near on the same page. */
const ofOnePage = 2

/** The words of a text as they are compared: `c.db.query` is three, and `SVC_PORT` one. */
const tokensOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

/** The words to look for; the small ones only if there are no others. */
export function wordsOf(asked: string) {
  const all = [...new Set(tokensOf(asked))]
  const telling = all.filter((word) => !small.has(word))
  return telling.length > 0 ? telling : all
}

/** What a word begins with in all its forms: `uploading`, `uploads` and `upload` are one. */
function stemOf(word: string) {
  const stem = word.replace(/(?:ing|ed|s)$/, '')
  return stem.length < 3 ? word : stem
}

/** Another form of a word has three letters more at most: `adding` is one of `add`, and `address` is not. */
const isForm = (token: string, word: string, stem: string) =>
  word.length > 2 && token.startsWith(stem) && token.length <= stem.length + 3

/** One of them is the plural, or they are the same. */
const isSame = (one: string, other: string) =>
  one === other || one === `${other}s` || `${one}s` === other

/** How often a word is in a text; another form of it counts half. */
function timesIn(tokens: readonly string[], word: string, stem: string) {
  let times = 0
  for (const token of tokens) {
    if (isSame(token, word)) times += 1
    else if (isForm(token, word, stem)) times += 0.5
  }
  return times
}

/** As on the site: how to do a thing comes before each name that there is. */
function weightOf({ page }: Section) {
  if (/^(?:guide|recipes|start|tutorial)/.test(page)) return 2
  if (page.startsWith('reference/exports/') || page === 'index.md') return 0.5
  return 1
}

/**
 * The sections that say most about the words. A rare word counts more than a frequent one (BM25), in a heading more
 * than in the text, and a section with all the words more than one with a few of them.
 */
export function findSections(
  sections: readonly Section[],
  words: readonly string[],
  limit: number,
): Found {
  const read = sections.map((section) => ({
    section,
    text: tokensOf(section.text),
    heading: tokensOf(section.heading ?? section.title),
    title: tokensOf(section.title),
  }))
  const usual = read.reduce((sum, { text }) => sum + text.length, 0) / read.length
  const scores = read.map(() => 0)
  const has = read.map(() => 0)
  const unknown: string[] = []
  for (const word of words) {
    const stem = stemOf(word)
    const times = read.map(
      ({ text, heading, title }) =>
        timesIn(text, word, stem) +
        6 * timesIn(heading, word, stem) +
        2 * timesIn(title, word, stem),
    )
    const frequent = times.filter((each) => each > 0).length
    if (frequent === 0) unknown.push(word)
    const rare = Math.log(1 + (read.length - frequent + 0.5) / (frequent + 0.5))
    for (const [at, count] of times.entries()) {
      if (count === 0) continue
      const long = 0.5 + 0.5 * ((read[at]?.text.length ?? 0) / usual)
      scores[at] = (scores[at] ?? 0) + (rare * count * 2.2) / (count + 1.2 * long)
      has[at] = (has[at] ?? 0) + 1
    }
  }
  const ranked = read
    .map(({ section }, at) => ({
      section,
      score: (scores[at] ?? 0) * weightOf(section) * ((has[at] ?? 0) / words.length),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ section }) => section)
  return { sections: fewOfEach(ranked).slice(0, limit), unknown }
}

function fewOfEach(sections: readonly Section[]) {
  const taken = new Map<string, number>()
  return sections.filter(({ page }) => {
    const count = (taken.get(page) ?? 0) + 1
    taken.set(page, count)
    return count <= ofOnePage
  })
}

/** Whether a word of the text is one of those that are looked for. */
export function isAsked(word: string, words: readonly string[]) {
  return tokensOf(word).some((token) =>
    words.some((each) => isSame(token, each) || isForm(token, each, stemOf(each))),
  )
}
