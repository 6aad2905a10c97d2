import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { packageChecks } from '../packages/checks.ts'
import { mustRun, packInto } from '../packages/installed.ts'
import { repository } from '../packages/public-packages.ts'

/**
 * Packs every package, and checks each tarball as `npm run check` checks its folder. Returns their
 * paths.
 */
export async function packAndCheck(folder: string) {
  const packed = Object.values(await packInto(folder)).map((url) => url.replace(/^file:/, ''))
  for (const tarball of packed) {
    for (const check of packageChecks(tarball)) await mustRun(check, { cwd: repository })
    const kilobytes = Math.ceil(statSync(tarball).size / 1000)
    console.log(`packed and checked ${basename(tarball)} (${kilobytes} kB)`)
  }
  return packed
}
