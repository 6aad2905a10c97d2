import { basename } from 'node:path'
import type { Source } from './read-source.ts'
import type { Refusal } from './refusal.ts'

const hollow = /^(.+-)?(utils?|helpers?|common|misc|managers?|services?)$/

/** A folder or file whose name could mean anything soon contains anything. */
export function names(paths: Source['paths']): Refusal[] {
  return paths.flatMap(({ path }) => {
    const name = basename(path).replace(/\..*$/, '')
    if (!hollow.test(name)) return []
    return [
      { path, line: 1, rule: `"${name}" says nothing about its content: name it for what it does` },
    ]
  })
}
