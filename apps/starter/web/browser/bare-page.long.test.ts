import { rmSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { barePage, buildBarePage, bytesOfBarePage } from '../../../../scripts/browser/bare-page.ts'

it('a bare page of Next loads what budget.spec.ts takes for its own', async () => {
  const folder = await buildBarePage()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const bytes = bytesOfBarePage(folder)
  // Names of modules differ from build to build, and compress differently.
  expect(Math.abs(bytes - barePage.bytes), `${bytes}`).toBeLessThan(100)
})
