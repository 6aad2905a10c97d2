/** Sites of other versions: `0.9=https://…`, separated by spaces. */
function siteOf(text: string) {
  const [, version, link] = /^([\w.-]+)=(https?:\/\/\S+)$/.exec(text) ?? []
  if (version !== undefined && link !== undefined) return { text: `Version ${version}`, link }
  throw new Error(
    `DOCS_VERSIONS: "${text}" is no version with its address. Write 0.9=https://…, and a space between two of them.`,
  )
}

/** The version of this site. If there are sites of others, it is a menu that leads to them. */
export function versionMenu(version: string, others = '') {
  const text = `Version ${version}`
  const changes = '/changelog'
  const sites = others.split(/\s+/).filter(Boolean).map(siteOf)
  if (sites.length === 0) return { text, link: changes }
  return { text, items: [{ text: 'What has changed', link: changes }, ...sites] }
}
