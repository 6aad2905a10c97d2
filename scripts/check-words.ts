import { resolve } from 'node:path'
import { findWords, places, words } from './words/find-words.ts'

/** How often each kind of these words may stand in 10,000: a quotation or a name is no mistake. */
const bounds = { documents: 1, messages: 1, comments: 4 }

const root = resolve(process.argv[2] ?? resolve(import.meta.dirname, '..'))
const { found, totals } = findWords(root)
const kinds = places.flatMap((place) =>
  words.map((each) => ({
    found: found.filter((one) => one.place === place && one.words === each),
    allowed: Math.ceil((totals[place] / 10_000) * bounds[place]),
    place,
  })),
)
const exceeded = kinds.filter((each) => each.found.length > each.allowed)
for (const { found: all, allowed, place } of exceeded) {
  console.log(`${all.length} in ${place}, where at most ${allowed} may be:`)
  for (const { path, line, word } of all) {
    console.log(`  ${path}:${line}: "${word}": name who acts, or what is meant`)
  }
}
if (exceeded.length === 0) console.log('No hard word stands too often.')
process.exitCode = exceeded.length === 0 ? 0 : 1
