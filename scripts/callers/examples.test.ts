import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { accessTable } from '../../packages/auth/src/answers-to-callers.ts'
import type { AnyContract } from '../../packages/auth/src/contract.ts'

const root = resolve(import.meta.dirname, '../../examples')

const isContract = (value: unknown): value is AnyContract =>
  typeof value === 'object' && value !== null && 'operations' in value && 'routeMap' in value

async function contractsOf(example: string) {
  const exported = await import(join(root, example, 'src/contract.ts'))
  return Object.values(exported).filter(isContract)
}

// An example with organizations needs a table of callers, as the starter has it.
it('every operation of the examples is open to these, and none takes an organization', async () => {
  const lines: string[] = []
  for (const example of readdirSync(root)) {
    const contracts = await contractsOf(example)
    expect(contracts, example).not.toEqual([])
    for (const contract of contracts) expect(contract.tenant, contract.name).toBeUndefined()
    lines.push(...accessTable(contracts).map((line) => `${example}: ${line}`))
  }
  expect(lines.filter((line) => /\bin \w/.test(line))).toEqual([])
  expect(lines).toMatchInlineSnapshot(`
    [
      "magic-link: public requestMagicLink POST /_auth/magic-link",
      "magic-link: public signInByMagicLink POST /_auth/magic-link/sign-in",
      "teams: bearer addTeamMember PUT /_auth/teams/:teamId/members/:userId",
      "teams: bearer listTeams GET /_auth/teams",
      "teams: bearer removeTeamMember DELETE /_auth/teams/:teamId/members/:userId",
      "teams: bearer renameTeam PATCH /_auth/teams/:teamId",
      "teams: may team:create createTeam POST /_auth/teams",
    ]
  `)
})

it('no stream, no job and no other code of an example knows organizations', () => {
  const files = globSync('*/{package.json,src/**}', { cwd: root, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  expect(files.length).toBeGreaterThan(20)
  const known = files.filter((file) => readFileSync(file, 'utf8').includes('@svc/organizations'))
  expect(known).toEqual([])
})
