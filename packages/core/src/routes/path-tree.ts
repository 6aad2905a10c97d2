import type { Method } from './operation.ts'

interface Branch<Leaf> {
  readonly literal: Map<string, Branch<Leaf>>
  parameter: Branch<Leaf> | null
  readonly leaves: Map<Method, Reached<Leaf>>
}

interface Reached<Leaf> {
  readonly leaf: Leaf
  /** The names of its path's parameters, and their segments. */
  readonly parameters: readonly { name: string; depth: number }[]
}

interface Match<Leaf> {
  readonly leaf: Leaf
  readonly parameters: Readonly<Record<string, string>>
}

export interface PathTree<Leaf> {
  add(method: Method, path: string, leaf: Leaf): void
  find(method: Method, segments: readonly string[]): Match<Leaf> | null
  /** The methods of a path: none if it is unknown. */
  methodsOf(segments: readonly string[]): Method[]
}

const branch = <Leaf>(): Branch<Leaf> => ({
  literal: new Map(),
  parameter: null,
  leaves: new Map(),
})

/**
 * Finds a route by the segments of a path. A literal segment wins over a parameter, in any order of
 * registration.
 */
export function createPathTree<Leaf>(): PathTree<Leaf> {
  const root = branch<Leaf>()
  return {
    add(method, path, leaf) {
      const pattern = path.split('/').slice(1)
      const parameters = pattern.flatMap((segment, depth) =>
        segment.startsWith(':') ? [{ name: segment.slice(1), depth }] : [],
      )
      pattern.reduce(grow, root).leaves.set(method, { leaf, parameters })
    },
    find(method, segments) {
      const found = reach(root, method, segments)
      return found && { leaf: found.leaf, parameters: named(found, segments) }
    },
    methodsOf: (segments) => branchesOf(root, segments).flatMap(({ leaves }) => [...leaves.keys()]),
  }
}

function grow<Leaf>(at: Branch<Leaf>, segment: string): Branch<Leaf> {
  if (segment.startsWith(':')) {
    at.parameter ??= branch()
    return at.parameter
  }
  let next = at.literal.get(segment)
  if (!next) {
    next = branch()
    at.literal.set(segment, next)
  }
  return next
}

/** Depth is bounded by the longest route, so a path of a thousand segments costs no more than that. */
function reach<Leaf>(
  at: Branch<Leaf>,
  method: Method,
  segments: readonly string[],
  depth = 0,
): Reached<Leaf> | null {
  const segment = segments[depth]
  if (segment === undefined) return at.leaves.get(method) ?? null
  const literal = at.literal.get(segment)
  const found = literal ? reach(literal, method, segments, depth + 1) : null
  if (found || !at.parameter) return found
  return reach(at.parameter, method, segments, depth + 1)
}

/** Every branch that matches a path, those with literal segments first. */
function branchesOf<Leaf>(
  at: Branch<Leaf>,
  segments: readonly string[],
  depth = 0,
): Branch<Leaf>[] {
  const segment = segments[depth]
  if (segment === undefined) return [at]
  return [at.literal.get(segment), at.parameter].flatMap((next) =>
    next ? branchesOf(next, segments, depth + 1) : [],
  )
}

const none = Object.freeze({})

function named({ parameters }: Reached<unknown>, segments: readonly string[]) {
  if (parameters.length === 0) return none
  const values: Record<string, string> = {}
  for (const { name, depth } of parameters) values[name] = segments[depth] as string
  return values
}
