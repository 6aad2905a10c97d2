import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from './find-chromium.ts'

// Only these: the defaults of the package with Chromium turn web security off.
const browserArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A Chromium of its own for a test file, with a new profile. It ends with the process that launched it. */
export async function launchBrowser() {
  const { path, env } = findChromium()
  const folder = mkdtempSync(join(tmpdir(), 'svc-browser-'))
  const profile = join(folder, 'profile')
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const browser = await chromium.launch({
    executablePath: path,
    ignoreDefaultArgs: true,
    args: [...browserArguments, `--user-data-dir=${profile}`, '--remote-debugging-pipe'],
    env: { ...process.env, ...env, TMPDIR: temporary },
  })
  return {
    browser,
    stop: async () => {
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
