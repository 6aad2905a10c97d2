import { undocumented } from './documents/exports/exports.ts'
import { readEntries } from './documents/exports/read-exports.ts'

const found = undocumented(readEntries())
for (const { entry, name } of found) {
  console.log(`${name} of ${entry} has no comment: say in a sentence what it is for.`)
}
if (found.length === 0) console.log('Every export has a comment.')
process.exitCode = found.length === 0 ? 0 : 1
