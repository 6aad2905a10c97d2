import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailure } from '../failure.ts'
import { home, repository } from '../repository.ts'
import { walk } from '../run/run.ts'

/** What lies below a heading, up to the next one. */
export interface Section {
  /** The title of its page. */
  title: string
  /** Its heading; null above the first one. */
  heading: string | null
  /** The page, by its path in the folder of the documentation. */
  page: string
  /** The line of the heading. */
  line: number
  text: string
}

/** How to use Svc. What was agreed, measured and decided is for those who change Svc itself. */
const shipped = /^(?:(?:index|tutorial)|(?:guide|recipes|reference|start)\/.+)\.md$/

/** The pages that come with the command, by their paths in the folder `docs`. */
export function shippedPages(docs: string) {
  return walk(docs)
    .map(({ path }) => path)
    .filter((path) => shipped.test(path))
}

/** Where the pages are: in a clone those of the clone, else those of the package. */
export function docsFolder() {
  const folder = repository === null ? join(home, 'dist', 'docs') : join(repository, 'docs')
  if (existsSync(join(folder, 'index.md'))) return folder
  throw new CommandFailure(`There is no documentation in ${folder}. Install @svc/cli again.`)
}

export function sectionsIn(docs: string): Section[] {
  return shippedPages(docs).flatMap((page) =>
    sectionsOf(page, readFileSync(join(docs, page), 'utf8')),
  )
}

function sectionsOf(page: string, markdown: string): Section[] {
  const sections: Section[] = []
  let title = page
  let inFence = false
  for (const [at, line] of markdown.split('\n').entries()) {
    if (line.startsWith('```')) inFence = !inFence
    const [, marks, words = ''] = (!inFence && /^(#{1,4}) (.+)$/.exec(line)) || []
    const heading = words.replaceAll('`', '')
    if (marks === '#') title = heading
    if (marks) {
      const below = marks === '#' ? null : heading
      sections.push({ title, heading: below, page, line: at + 1, text: '' })
    } else if (!/^<!-- .* -->$/.test(line)) {
      const last = sections.at(-1)
      if (last) last.text += `${line}\n`
    }
  }
  return sections
}
