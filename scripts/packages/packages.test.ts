import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { publicPackages, repository } from './public-packages.ts'

const page = readFileSync(join(repository, 'docs/reference/packages.md'), 'utf8')
const packages = publicPackages()

describe('entries for browsers', () => {
  const bytes = (text = '') => Number(text.replaceAll(',', ''))
  const entries = [...page.matchAll(/^\| `(@svc\/[\w/-]+)` \| ([\d,]+) \| ([\d,]+) \|$/gm)].map(
    ([, name = '', , most]) => ({ name, most: bytes(most) }),
  )

  function sourceOf(entry: string) {
    const [scope, name, ...path] = entry.split('/')
    const owner = packages.find((each) => each.name === `${scope}/${name}`)
    const exported = owner?.exports[path.length > 0 ? `./${path.join('/')}` : '.'] as {
      'svc-source': string
    }
    return join(repository, owner?.folder ?? '', exported['svc-source'])
  }

  it('reach no module of Node, and stay as small as their page says', {
    timeout: 60_000,
  }, async () => {
    const out = mkdtempSync(join(tmpdir(), 'svc-entries-'))
    onTestFinished(() => rmSync(out, { recursive: true }))
    const { passed, output } = await runCommand(
      [
        'esbuild',
        ...entries.map(({ name }) => `${name}=${sourceOf(name)}`),
        '--bundle',
        '--minify',
        '--format=esm',
        '--platform=browser',
        `--outdir=${out}`,
        '--conditions=svc-source',
        '--external:react',
        '--external:next/*',
        '--log-level=error',
      ],
      { cwd: repository },
    )
    expect({ passed, output }).toEqual({ passed: true, output: '' })

    expect(entries).toHaveLength(15)
    for (const { name, most } of entries) {
      const { length } = gzipSync(readFileSync(join(out, `${name}.js`)), { level: 9 })
      expect(length, name).toBeLessThanOrEqual(most)
      // A limit far above the size would hold nothing.
      expect(length * 1.25, name).toBeGreaterThan(most)
    }
  })
})

describe('the packages', () => {
  it('ask for 25 packages of others at most', () => {
    const names = packages
      .flatMap((each) => Object.keys({ ...each.dependencies, ...each.peerDependencies }))
      .filter((name) => !packages.some((each) => each.name === name))
    const others = new Set(names)
    expect(others.size, [...others].join(', ')).toBeLessThanOrEqual(25)
    expect(page).toContain(`ask for ${others.size} packages of others`)
  })

  it('pin every one of them, and each other', () => {
    for (const { name, dependencies } of packages) {
      for (const [each, version] of Object.entries(dependencies)) {
        expect(version, `${name}: ${each}`).toMatch(/^\d+\.\d+\.\d+[\w.-]*$/)
      }
    }
  })

  it('have a README, a licence, and the same version', () => {
    expect(new Set(packages.map(({ version }) => version)).size).toBe(1)
    for (const each of packages) {
      expect(each.license, each.name).toBe('MIT')
      expect(existsSync(join(repository, each.folder, 'README.md')), each.name).toBe(true)
    }
  })
})

describe('npm run sbom', () => {
  const permissive = /^(MIT(-0)?|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0)$/
  const { components } = billOfMaterials()

  it('names our packages and what they bring, each at one place once', () => {
    const urls = components.map(({ purl }) => decodeURIComponent(purl))
    for (const { name, version, dependencies } of packages) {
      expect(urls).toContain(`pkg:npm/${name}@${version}`)
      for (const [each, at] of Object.entries(dependencies)) {
        expect(urls).toContain(`pkg:npm/${each}@${at}`)
      }
    }
    expect(urls.filter((url) => /npm\/(vitest|typescript|starter|bench)/.test(url))).toEqual([])
  })

  it('finds every licence permissive', () => {
    const strict = components.filter(({ licenses: [license] }) => {
      const words = (license?.expression ?? '').split(/[() ]+|\bOR\b|\bAND\b/).filter(Boolean)
      return words.length === 0 || !words.every((word) => permissive.test(word))
    })
    expect(strict.map(({ purl, licenses }) => [purl, licenses])).toEqual([])
  })
})
