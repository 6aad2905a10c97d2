import { type Method, parameterNames } from './operation.ts'

interface Branch<Leaf> {
  readonly literal: Map<string, Branch<Leaf>>
  parameter: Branch<Leaf> | null
  readonly leaves: Map<Method, { leaf: Leaf; names: readonly string[] }>
}

interface Match<Leaf> {
  readonly leaf: Leaf
  readonly parameters: Readonly<Record<string, string>>
}

export interface PathTree<Leaf> {
  add(method: Method, path: string, leaf: Leaf): void
  find(method: Method, segments: readonly string[]): Match<Leaf> | null
  /** The methods that a path answers to: none when it is unknown. */
  methodsOf(segments: readonly string[]): Method[]
}

const branch = <Leaf>(): Branch<Leaf> => ({
  literal: new Map(),
  parameter: null,
  leaves: new Map(),
})

/** Finds a route by the segments of a path. A literal segment wins over a parameter, whatever was added first. */
export function createPathTree<Leaf>(): PathTree<Leaf> {
  const root = branch<Leaf>()
  return {
    add(method, path, leaf) {
      const at = path.split('/').slice(1).reduce(grow, root)
      at.leaves.set(method, { leaf, names: parameterNames(path) })
    },
    find(method, segments) {
      const values: string[] = []
      const found = walk(root, segments, 0, values, (at) => at.leaves.has(method))?.leaves.get(
        method,
      )
      return found ? { leaf: found.leaf, parameters: named(found.names, values) } : null
    },
    methodsOf(segments) {
      const methods: Method[] = []
      walk(root, segments, 0, [], (at) => {
        methods.push(...at.leaves.keys())
        return false
      })
      return methods
    },
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

type Accept<Leaf> = (at: Branch<Leaf>) => boolean

/** Depth is bounded by the longest route, so a path of a thousand segments costs no more than that. */
function walk<Leaf>(
  at: Branch<Leaf>,
  segments: readonly string[],
  depth: number,
  values: string[],
  accept: Accept<Leaf>,
): Branch<Leaf> | null {
  const segment = segments[depth]
  if (segment === undefined) return accept(at) ? at : null
  const literal = at.literal.get(segment)
  const found = literal ? walk(literal, segments, depth + 1, values, accept) : null
  if (found || !at.parameter) return found
  values.push(segment)
  const through = walk(at.parameter, segments, depth + 1, values, accept)
  if (!through) values.pop()
  return through
}

const none = Object.freeze({})

function named(names: readonly string[], values: readonly string[]) {
  if (names.length === 0) return none
  const parameters: Record<string, string> = {}
  names.forEach((name, index) => {
    parameters[name] = values[index] as string
  })
  return parameters
}
