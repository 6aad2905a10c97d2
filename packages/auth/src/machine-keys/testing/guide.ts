import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../../../', import.meta.url))

/** The programs of a page of the guide, in a folder inside the repository, where its packages are found. */
export function programsOf(page: string) {
  // Ignored by git.
  mkdirSync(join(root, '.svc'), { recursive: true })
  const folder = mkdtempSync(join(root, '.svc', 'guide-'))
  const text = readFileSync(join(root, 'docs/guide', page), 'utf8')
  for (const [, name = '', program = ''] of text.matchAll(
    /^```(?:ts|sh)\n(?:\/\/|#) file: (\S+)\n(.*?)^```$/gms,
  ))
    writeFileSync(join(folder, name), program)
  return {
    folder,
    /** What a program says that is given this. */
    run: async (name: string, { input = '', env = {} }: Given) => {
      const running = name.endsWith('.sh')
        ? run('sh', [name], { cwd: folder, env: { PATH: process.env['PATH'], ...env } })
        : run(process.execPath, ['--conditions=svc-source', name], { cwd: folder, env })
      running.child.stdin?.end(input)
      return (await running).stdout
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

interface Given {
  input?: string
  env?: Record<string, string>
}
