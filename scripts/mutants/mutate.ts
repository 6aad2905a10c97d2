import { join, resolve } from 'node:path'
import type { VitestPluginContext } from 'vitest/node'
import { mutations } from './list.ts'
import type { Mutation } from './mutation.ts'

const packages = resolve(import.meta.dirname, '../../packages')

/** The path of a mutation's file. */
export const pathOf = ({ of = 'auth', file }: Pick<Mutation, 'of' | 'file'>) =>
  join(packages, of, 'src', file)

/** The file's text without its guard. */
export function mutated(text: string, { name, file, find, replace }: Mutation) {
  const [before, after, ...more] = text.split(find)
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`What “${name}” takes away is not once in ${file}: ${find}`)
  }
  return before + replace + after
}

/** A plugin for vitest that changes one module. */
export function mutantPlugin(name: string) {
  const mutation = mutations.find((each) => each.name === name)
  if (!mutation) throw new Error(`There is no mutation ${name}.`)
  const isMutated = (id: string) => id.split('?')[0] === pathOf(mutation)
  return {
    name: 'svc-mutant',
    enforce: 'pre' as const,
    // A mutant in vitest's cache would appear in later runs.
    configureVitest: ({ defineCacheKeyGenerator }: VitestPluginContext) =>
      defineCacheKeyGenerator(({ id }) => (isMutated(id) ? false : undefined)),
    transform: (text: string, id: string) => (isMutated(id) ? mutated(text, mutation) : undefined),
  }
}
