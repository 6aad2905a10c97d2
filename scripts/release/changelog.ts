import { type Change, kinds } from './changes.ts'

const unreleased = /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m

/** Whether the changelog has a section of this version. */
export function isReleased(changelog: string, version: string) {
  return changelog
    .split('\n')
    .some((line) => line === `## ${version}` || line.startsWith(`## ${version} `))
}

/** The versions that have a section, newest first. */
export function versionsOf(changelog: string) {
  return [...changelog.matchAll(/^## (\d\S*)/gm)].map(([, version = '']) => version)
}

/** The text under `## Unreleased`, or nothing. */
export function unreleasedText(changelog: string) {
  return unreleased.exec(changelog)?.[1]?.trim() ?? ''
}

/**
 * The section of a version: the text under `## Unreleased`, with the changes under the headings of
 * their kinds.
 */
export function sectionOf(changelog: string, changes: readonly Change[], title: string) {
  const [before = '', ...groups] = unreleasedText(changelog).split(/^### /m)
  const written = new Map(
    groups.map((group) => {
      const [heading = '', ...lines] = group.split('\n')
      return [heading.trim(), lines.join('\n').trim()]
    }),
  )
  const headings = [...new Set([...kinds, ...written.keys()])]
  const parts = headings.flatMap((heading) => {
    const own = changes.filter(({ kind }) => kind === heading).map(entryOf)
    const entries = [written.get(heading) ?? '', ...own].filter(Boolean)
    return entries.length === 0 ? [] : [`### ${heading}\n\n${entries.join('\n')}`]
  })
  const first = changes.some(({ isBreaking }) => isBreaking) ? [breaks] : []
  return [`## ${title}`, ...first, before.trim(), ...parts].filter(Boolean).join('\n\n')
}

const breaks =
  'This version breaks what the entries marked **Breaking** name. Read [Upgrading](UPGRADING.md) first.'

function entryOf({ text, isBreaking }: Change) {
  return `- ${isBreaking ? '**Breaking.** ' : ''}${text.replaceAll('\n', '\n  ')}`
}

/** The changelog with a new section at the top, in place of `## Unreleased`. */
export function withSection(changelog: string, section: string) {
  const rest = changelog.replace(unreleased, '')
  const at = rest.search(/^## /m)
  const [head, released] = at < 0 ? [rest, ''] : [rest.slice(0, at), rest.slice(at)]
  return [head.trim(), section, released.trim()].filter(Boolean).join('\n\n').concat('\n')
}
