/** What the cells of the tables say. Any other answer is written out. */
const words: Readonly<Record<string, string>> = {
  '404 OrganizationNotFoundError': 'hidden',
  '403 ForbiddenError': 'refused',
  '401 UnauthorizedError': 'unsigned',
  '403 SupportSessionForbiddenError': 'owners',
  '409 LastOwnerError': 'last',
  '403 MoreThanOwnRoleError': 'greater',
  '404 TeamNotFoundError': 'no team',
  '409 AlreadyInTeamError': 'in it',
  '409 ConflictError': 'conflict',
  '404 OrganizationInvitationNotFoundError': 'no invite',
  '404 ServiceAccountNotFoundError': 'no program',
}

export function cellOf({ status, text }: { status: number; text: string }) {
  if (status < 300) return String(status)
  const code = `${status} ${JSON.parse(text).error?.code}`
  return words[code] ?? code
}

type Answer = (name: string, as: string) => Promise<string>

/** A line for each name, with a cell for each caller. */
export async function tableOf(
  columns: readonly string[],
  names: readonly string[],
  answer: Answer,
) {
  const width = Math.max(...names.map((name) => name.length))
  const line = (first: string, cells: readonly string[]) =>
    [first.padEnd(width), ...cells.map((cell) => cell.padEnd(10))].join(' ').trimEnd()
  const rows: string[] = []
  for (const name of names) {
    const cells = columns.map((as) => answer(name, as))
    rows.push(line(name, await Promise.all(cells)))
  }
  return [line('', columns), ...rows].join('\n')
}
