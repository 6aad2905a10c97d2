import { unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { digestOfInputs } from './web-build.ts'

function tree() {
  return temporaryFolder({
    'package-lock.json': '{}',
    'packages/core/src/a.ts': '1',
    'packages/core/src/a.test.ts': '1',
    'packages/auth/src/a.ts': '1',
    'packages/web/src/a.ts': '1',
    'apps/starter/web/page.tsx': '1',
    'apps/starter/web/next-env.d.ts': '1',
    'apps/starter/web/.next/BUILD_ID': '1',
  })
}

it('builds the web app again when a file or a variable in the build changes, and not otherwise', () => {
  const root = tree()
  const inputs = ['package-lock.json', 'packages', 'apps/starter']
  const digestWith = (env: NodeJS.ProcessEnv) => digestOfInputs(inputs, env, root)
  const first = digestWith({ NEXT_PUBLIC_SVC_API_URL: 'a', SVC_PORT: '1' })
  const digest = () => digestWith({ NEXT_PUBLIC_SVC_API_URL: 'a', SVC_PORT: '2' })

  for (const path of ['packages/core/src/a.test.ts', 'apps/starter/web/.next/BUILD_ID']) {
    writeFileSync(join(root, path), '2')
  }
  writeFileSync(join(root, 'apps/starter/web/next-env.d.ts'), '2')
  expect(digest()).toBe(first)

  expect(digestWith({ NEXT_PUBLIC_SVC_API_URL: 'b' })).not.toBe(first)
  expect(digestWith({ NEXT_PUBLIC_SVC_API_URL: 'a', SVC_API_URL: 'b' })).not.toBe(first)
  writeFileSync(join(root, 'packages/core/src/a.ts'), '2')
  const second = digest()
  expect(second).not.toBe(first)
  unlinkSync(join(root, 'apps/starter/web/page.tsx'))
  expect(digest()).not.toBe(second)
})
