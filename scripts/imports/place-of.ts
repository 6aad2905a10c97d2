import type { SourceFile } from './read-source.ts'

/**
 * The package of a source file, and the folder or file directly under its `src` that contains it.
 */
export function placeOf(path: string) {
  const [, name, place] = /^packages\/([^/]+)\/src\/([^/]+)/.exec(path) ?? []
  return name === undefined || place === undefined ? null : { name, place }
}

/** Whether a file is built and published: neither a test nor a program that only tests run. */
export function isShipped({ path, isTest }: SourceFile) {
  return !isTest && !/\/(faults|trials)\//.test(path)
}
