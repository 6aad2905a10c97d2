import module, { type ResolveHookSync } from 'node:module'

/**
 * Node parses a package's manifest for every import between two of its files. Drizzle's has 180 kB,
 * and there are a hundred files: three quarters of its time to load. Such an import can be resolved
 * without the manifest.
 */
export async function loadCreateDb() {
  // Missing before Node 22.15, where it is slower.
  const hooks = module.registerHooks?.({ resolve: resolveWithinDrizzle })
  try {
    return await import('./create-db.ts')
  } finally {
    hooks?.deregister()
  }
}

const ofDrizzle = /^file:.*\/node_modules\/drizzle-orm\/[^?#]+\.js$/
const neighbour = /^\.\.?\/[^?#]+\.js$/

const resolveWithinDrizzle: ResolveHookSync = (specifier, context, nextResolve) => {
  const { parentURL = '' } = context
  if (!ofDrizzle.test(parentURL) || !neighbour.test(specifier))
    return nextResolve(specifier, context)
  return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
}
