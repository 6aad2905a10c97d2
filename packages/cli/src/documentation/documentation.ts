import { join, relative } from 'node:path'
import type { Flags } from '../flags.ts'
import { paint } from '../terminal.ts'
import { excerptOf } from './excerpt.ts'
import { findSections, wordsOf } from './find-sections.ts'
import { docsFolder, sectionsIn } from './pages.ts'

export interface Result {
  title: string
  heading: string | null
  /** From the current folder. */
  path: string
  line: number
  excerpt: string
}

/** Prints the sections of the documentation that say most about the words. Exits 1 if there is none. */
export async function searchDocs(asked: string, { json, limit = '5' }: Flags) {
  const docs = docsFolder()
  const words = wordsOf(asked)
  const { sections, unknown } = findSections(sectionsIn(docs), words, Number(limit))
  const results = sections.map(({ page, text, ...section }): Result => {
    const path = relative('.', join(docs, page)).replaceAll('\\', '/')
    return { ...section, path, excerpt: excerptOf(text, words) }
  })
  if (json) console.log(JSON.stringify({ results, unknown }, null, 2))
  else console.log(results.length > 0 ? listed(results, unknown) : nothingFound(asked, docs))
  return results.length > 0 ? 0 : 1
}

function listed(results: readonly Result[], unknown: readonly string[]) {
  const shown = results.map(({ title, heading, path, line, excerpt }) =>
    [
      ...lines(heading === null ? title : `${title} › ${heading}`).map((each) =>
        paint('bold', each),
      ),
      paint('cyan', `${path}:${line}`),
      ...lines(excerpt, '  '),
    ].join('\n'),
  )
  const missing = unknown.map((word) => `No page has the word "${word}".`)
  return [...shown, ...(missing.length > 0 ? [missing.join('\n')] : [])].join('\n\n')
}

function nothingFound(asked: string, docs: string) {
  const index = relative('.', join(docs, 'index.md')).replaceAll('\\', '/')
  return `Nothing in the documentation says anything about "${asked}".
Try other words, or names from your code. All pages are listed in
${index}.`
}

/** Lines that fit into 80 columns. */
function lines(text: string, before = '') {
  const fitting = text.match(/\S(?:.{0,76}\S)?(?=\s|$)|\S+/g) ?? []
  return fitting.map((line) => `${before}${line}`)
}
