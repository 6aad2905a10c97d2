import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

interface Locked {
  optionalDependencies?: Record<string, string>
}

const path = join(import.meta.dirname, '..', 'package-lock.json')
const { packages }: { packages: Record<string, Locked> } = JSON.parse(readFileSync(path, 'utf8'))

/** npm finds what a package asks for beside the package's own, or further out. */
function isLocked(place: string, name: string): boolean {
  if (packages[join(place, 'node_modules', name)]) return true
  return place !== '.' && isLocked(dirname(place), name)
}

// npm leaves out what the registry does not have on the day of a release, and refuses such a lock file in `npm ci`
// (https://github.com/npm/cli/issues/4828).
it('the lock file has what packages bring for other platforms', () => {
  const asked = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ place, name })),
  )
  expect(asked.length).toBeGreaterThan(100)
  expect(asked.filter(({ place, name }) => !isLocked(place, name))).toEqual([])
})
