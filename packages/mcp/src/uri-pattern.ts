/** An address with parts in braces, each of which is one segment or a part of one. */
export interface UriPattern {
  readonly names: readonly string[]
  /** The values of the parts, decoded; null for another address. */
  readonly match: (uri: string) => Record<string, string> | null
}

const special = /[\\^$.*+?()[\]{}|/]/g

/** Of the templates of RFC 6570, only `{name}`: an address has to say which resource it is, and not how to filter it. */
export function uriPattern(uri: string): UriPattern {
  const [first = '', ...rest] = uri.split('{')
  const parts = rest.map((each) => /^(\w+)\}([^}]*)$/.exec(each))
  const names = parts.map((part) => part?.[1])
  if (!/^[a-z][\d+.a-z-]*:[^}]*$/.test(first) || !names.every((name) => name !== undefined)) {
    throw new Error(`"${uri}" is no address of a resource: write it as board://notices/{id}.`)
  }
  if (new Set(names).size < names.length) throw new Error(`"${uri}" has a name in braces twice.`)
  const literal = (text = '') => text.replaceAll(special, String.raw`\$&`)
  const source = parts.map((part) => `([^/?#]+)${literal(part?.[2])}`).join('')
  const pattern = new RegExp(`^${literal(first)}${source}$`)
  return {
    names,
    match: (given) => {
      const found = pattern.exec(given)
      if (!found) return null
      try {
        const values = found.slice(1).map((value) => decodeURIComponent(value))
        return Object.fromEntries(names.map((name, at) => [name, values[at] as string]))
      } catch {
        // It isn't UTF-8, so nothing has this address.
        return null
      }
    },
  }
}
