interface NodeModules {
  'node:http': typeof import('node:http')
  'node:https': typeof import('node:https')
  'node:stream': typeof import('node:stream')
  'node:zlib': typeof import('node:zlib')
}

/**
 * A module of Node, where this runs on Node. It isn't imported, because the proxy also runs where there is none. Other
 * hosts may have modules of these names that do less, so they go without them.
 */
export function moduleOfNode<Id extends keyof NodeModules>(id: Id): NodeModules[Id] | undefined {
  // Here a host of fetch handlers says which one it is.
  const isNode = globalThis.navigator?.userAgent?.startsWith('Node.js/')
  return isNode ? globalThis.process.getBuiltinModule(id) : undefined
}
