interface NodeModules {
  'node:http': typeof import('node:http')
  'node:https': typeof import('node:https')
  'node:stream': typeof import('node:stream')
  'node:zlib': typeof import('node:zlib')
}

/**
 * A module of Node, if this runs on Node. It isn't imported, because the proxy also runs on hosts
 * without it. Other hosts may have modules of these names that do less, so they are not used.
 */
export function moduleOfNode<Id extends keyof NodeModules>(id: Id): NodeModules[Id] | undefined {
  // Hosts of fetch handlers say here which one they are.
  const isNode = globalThis.navigator?.userAgent?.startsWith('Node.js/')
  return isNode ? globalThis.process.getBuiltinModule(id) : undefined
}
