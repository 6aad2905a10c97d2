import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from './installed.ts'
import { repository } from './public-packages.ts'

/**
 * Builds and packs the examples, which are not published. Our packages must be built. Returns the
 * tarballs.
 */
export async function packExamples(destination: string) {
  const tarballs: string[] = []
  for (const name of readdirSync(join(repository, 'examples'))) {
    const cwd = join(repository, 'examples', name)
    await mustRun(['tsc', '-p', 'tsconfig.json'], { cwd })
    await mustRun(['npm', 'pack', '--pack-destination', destination], { cwd })
    tarballs.push(join(destination, tarballOf(cwd)))
  }
  return tarballs
}

function tarballOf(folder: string) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name.slice(1).replace('/', '-')}-${version}.tgz`
}
