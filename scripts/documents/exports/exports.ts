import { join, posix, resolve } from 'node:path'
import { type Entry, type Exported, kinds, readEntries } from './read-exports.ts'

const root = resolve(import.meta.dirname, '..', '..', '..')
const folder = 'docs/reference/exports'

const headings = { Function: 'Functions', Class: 'Classes', Value: 'Values', Type: 'Types' }

/** A page for each entry of the packages, with all that it exports. */
export function exportPages() {
  const entries = readEntries()
  return entries.map((entry) => ({
    entry,
    path: join(root, folder, pageOf(entry)),
    text: pageText(entry, entries),
  }))
}

/** The exports without a comment: an editor and the reference could say only their type. */
export function undocumented(entries: Pick<Entry, 'name' | 'exported'>[]) {
  return entries.flatMap(({ name: entry, exported }) =>
    exported.filter(({ says }) => says === '').map(({ name }) => ({ entry, name })),
  )
}

/** `@svc/core/client` → `core-client.md`. */
function pageOf({ name }: Entry) {
  return `${name.split('/').slice(1).join('-')}.md`
}

function pageText(entry: Entry, entries: Entry[]) {
  const own = entry.exported.filter((each) => homeOf(each, entries) === entry)
  return [
    `# ${entry.name}`,
    `<!-- Written by \`npm run docs:generate\`. -->`,
    `Every export of \`${entry.name}\`, with its type and the comment in its source. [The
package](${posix.join('../../..', entry.packageFolder, 'README.md')}) says what each entry is for.`,
    ...elsewhere(entry, entries),
    ...kinds.flatMap((kind) => sectionOf(own.filter((each) => each.kind === kind))),
  ]
    .join('\n\n')
    .concat('\n')
}

/** Where an export is described, if several entries have it: in the smallest of its own package. */
function homeOf({ id, file }: Exported, entries: Entry[]) {
  const holders = entries.filter(({ exported }) => exported.some((each) => each.id === id))
  const own = holders.filter(({ packageFolder }) => file.includes(`/${packageFolder}/`))
  return (own.length > 0 ? own : holders).toSorted(
    (one, other) => one.exported.length - other.exported.length,
  )[0]
}

function elsewhere(entry: Entry, entries: Entry[]) {
  const lines = entries
    .filter((each) => each !== entry)
    .map((home) => ({
      home,
      names: entry.exported.filter((each) => homeOf(each, entries) === home),
    }))
    .filter(({ names }) => names.length > 0)
    .map(({ home, names }) => {
      const all = names.map(({ name }) => `\`${name}\``).join(', ')
      return `- [${home.name}](${pageOf(home)}): ${all}`
    })
  return lines.length === 0
    ? []
    : ['It also exports these, which are described elsewhere:', lines.join('\n')]
}

function sectionOf(exported: Exported[]) {
  const [first] = exported
  return first ? [`## ${headings[first.kind]}`, ...exported.flatMap(partOf)] : []
}

function partOf({ name, says, signature }: Exported) {
  // Not `ts`: these are no examples, which a test compiles.
  const fenced = ['```typescript', signature, '```'].join('\n')
  return [`### ${name}`, ...(says ? [asMarkdown(says)] : []), fenced]
}

/** A comment is text: its angle brackets are no tags, except in code, where they are no tags anyway. */
function asMarkdown(comment: string) {
  return comment
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`') ? part.replaceAll(/\s+/g, ' ') : part.replaceAll('<', '&lt;'),
    )
    .join('')
}
