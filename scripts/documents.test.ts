import { readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorOf } from '../docs/.vitepress/anchor.ts'
import { walk } from '../packages/cli/src/run/source-files.ts'
import { fence } from './documents/fences.ts'

const root = resolve(import.meta.dirname, '..')
const paths = new Set(walk(root).map(({ path }) => path))
const pages = [...paths].filter((path) => path.endsWith('.md'))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('docs/index.md', () => {
  it('leads to every page', () => {
    const named = [...read('docs/index.md').matchAll(/\]\((\S+\.md)\)/g)].map(([, link = '']) =>
      posix.join('docs', link),
    )
    const isOnSite = (path: string) =>
      !/^(bench|changes|packages\/cli\/template|decisions\/0|docs\/index\.md)/.test(path)
    expect(new Set(named)).toEqual(new Set(pages.filter(isOnSite)))
  })
})

describe('files', () => {
  it.each(['SECURITY.md', 'ARCHITECTURE.md'])('that %s names are there', (page) => {
    const named = [...read(page).matchAll(/`([\w./-]+\/[\w.-]+\.ts)`/g)].map(([, path]) => path)
    const missing = named.filter(
      (path) => !paths.has(`packages/core/src/${path}`) && !paths.has(`${path}`),
    )
    expect(missing).toEqual([])
  })
})

describe('the command in a terminal', () => {
  // `npx svc` would run another's package, and a terminal finds no `svc`: scripts of a package.json do.
  const typed = [
    /^(?:\$ )?(?:npx )?svc [a-z].*/gm,
    /`npx svc [a-z].*/g,
    /\b(?:run|with) ["`]svc [a-z].*/gi,
    /: svc [a-z]+ --.*/g,
    /"svc [a-z -]+" (?:makes|writes|applies).*/g,
  ]
  const found = (path: string) =>
    typed.flatMap((each) => read(path).match(each) ?? []).map((text) => `${path}: ${text}`)

  it('is npx @svc/cli in every document', () => {
    // What was said of earlier releases stays.
    const described = pages.filter((path) => path !== 'CHANGELOG.md')
    expect(described.flatMap(found)).toEqual([])
  })

  it('is npx @svc/cli in every message', () => {
    const sources = [...paths].filter(
      (path) => /^(packages|apps)\/.*\.tsx?$/.test(path) && !/\.(test|generated)\./.test(path),
    )
    expect(sources.flatMap(found)).toEqual([])
  })
})

describe('links', () => {
  const anchorsOf = (path: string) =>
    (
      read(path)
        .replace(fence, '')
        .match(/^#+ .*$/gm) ?? []
    ).map((heading) => anchorOf(heading.replace(/^#+ /, '')))

  it.each(pages)('of %s lead somewhere', (page) => {
    const links = [
      ...read(page)
        .replace(fence, '')
        .matchAll(/\]\(([^)\s]+)\)/g),
    ]
    const broken = links
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file, anchor] = target.split('#')
        const path = file ? posix.join(posix.dirname(page), file).replace(/\/$/, '') : page
        return !paths.has(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor))
      })
    expect(broken).toEqual([])
  })
})
