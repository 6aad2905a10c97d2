interface Manifest {
  workspaces: string[]
  devDependencies: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/**
 * The package.json of an application: the starter's, with versions of the repository's and a Node
 * of its own.
 */
export function applicationManifest(starter: Manifest, repository: Manifest) {
  const nodes = Object.entries(repository.optionalDependencies ?? {}).filter(([name]) =>
    name.startsWith('node-'),
  )
  const manifest = {
    name: 'starter',
    version: '0.1.0',
    private: true,
    type: 'module',
    workspaces: starter.workspaces,
    scripts: {
      start: 'node start.mjs start',
      dev: 'node start.mjs dev',
      test: 'vitest run',
      types: 'tsc -p api && tsc -p web --noEmit',
      generate: 'svc generate',
      migrate: 'svc migrate',
    },
    devDependencies: starter.devDependencies,
    optionalDependencies: Object.fromEntries(nodes),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
