import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isReleased, sectionOf, unreleasedText, withSection } from './changelog.ts'
import { readChanges } from './changes.ts'
import { readPackages, withVersion } from './manifests.ts'
import { nextVersion } from './next-version.ts'

export interface Plan {
  current: string
  version: string
  /** The section for the changelog. */
  section: string
  /** The new content of files, by their paths. */
  files: Map<string, string>
  /** The files of `changes/`, whose text is in the changelog then. */
  spent: string[]
}

/** The plan of a release. Throws if something prevents it. */
export function planRelease(root: string, now: Date): Plan {
  const read = (file: string) => {
    const path = join(root, file)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  const changelog = read('CHANGELOG.md')
  const changes = readChanges(root)
  if (changes.length === 0 && unreleasedText(changelog) === '') {
    throw new Error('There is nothing to release: changes/ has no file.')
  }
  const { version: current } = readPackages(root)
  // A version that is not in the changelog was never released.
  const version = isReleased(changelog, current) ? nextVersion(current, changes) : current
  if (changes.some(({ isBreaking }) => isBreaking) && !isReleased(read('UPGRADING.md'), version)) {
    throw new Error(
      `${version} breaks something. Write the steps into UPGRADING.md, under "## ${version}".`,
    )
  }
  const section = sectionOf(changelog, changes, `${version} - ${now.toISOString().slice(0, 10)}`)
  const files = withVersion(root, version).set('CHANGELOG.md', withSection(changelog, section))
  const written = [...files].filter(([file, text]) => read(file) !== text)
  return {
    current,
    version,
    section,
    files: new Map(written),
    spent: changes.map(({ file }) => file),
  }
}

export function carryOut(root: string, { files, spent }: Plan) {
  for (const [file, text] of files) writeFileSync(join(root, file), text)
  for (const file of spent) rmSync(join(root, file))
}
