import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const notSource = /^(\..*|node_modules|dist|coverage)$/

/** Every hand-written file and folder below a folder, as paths relative to the root, with `/`. */
export function walk(root: string, folder = ''): { path: string; isFolder: boolean }[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (!entry.isDirectory()) return [{ path, isFolder: false }]
    return notSource.test(entry.name) ? [] : [{ path, isFolder: true }, ...walk(root, path)]
  })
}

export function isTest(path: string) {
  return /\.(test|spec|test-d)\.[cm]?tsx?$/.test(path)
}
