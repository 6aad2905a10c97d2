import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Board } from './board.ts'

interface Given {
  board: () => Board
  svc: (...args: string[]) => Promise<{ code: number; stdout: string; stderr: string }>
  addUser: (email: string, displayName?: string) => Promise<void>
}

/** For a superadmin's computer that is signed in, with a fresh proof. */
export function describeOrganizations({ board, svc, addUser }: Given) {
  let id = ''

  beforeAll(async () => {
    await addUser('mary@example.com', 'Mary \u001b[31mOwner')
    await addUser('joan@example.com')
    const { rows } = await board().pool.query<{ id: string }>(
      `with made as (
         insert into organizations.organizations (organization_id, name, slug, state, created_at)
         values (gen_random_uuid(), 'Blue \u202eWhale', 'blue-whale', 'open', now()),
           (gen_random_uuid(), 'Blue Whales', 'blue-whales', 'open', now()) returning organization_id, slug
       ), joined as (
         insert into organizations.members
         select organization_id, user_id, array[case email when 'mary@example.com' then 'owner' else 'member' end], now()
         from made, svc_auth.users where slug = 'blue-whale' and email in ('mary@example.com', 'joan@example.com')
       ) select organization_id as id from made where slug = 'blue-whale'`,
    )
    id = rows[0]?.id ?? ''
  })

  describe('svc organizations', () => {
    it('lists those of a name, a slug or a member, as a table and as JSON', async () => {
      const { stdout } = await svc('organizations', 'list', '--name', 'blue')
      expect(stdout).toMatch(/^Organization id +Name +Slug +State +Created\n/)
      expect(stdout).toMatch(new RegExp(`^${id} +Blue \ufffdWhale +blue-whale +open +\\d{4}-`, 'm'))
      expect(stdout).toContain('blue-whales')
      const ofMember = ['list', '--member', 'mary@example.com', '--output', 'json']
      expect(JSON.parse((await svc('organizations', ...ofMember)).stdout).items).toMatchObject([
        { organizationId: id, slug: 'blue-whale' },
      ])
      const first = (await svc('organizations', 'list', '--slug', 'blue', '--limit', '1')).stdout
      const after = /add --after (\S+)\n$/.exec(first)?.[1] ?? ''
      const next = await svc('organizations', 'list', '--slug', 'blue', '--after', after)
      expect(next.stdout).toContain('blue-whales')
      expect(next.stdout).not.toContain(id)
      const none = await svc('organizations', 'list', '--state', 'closed')
      expect(none.stdout).toMatch(/^No organization is like that\./)
    })

    it('shows one by its slug, with its owners', async () => {
      const { stdout } = await svc('organizations', 'show', 'blue-whale')
      expect(stdout).toMatch(new RegExp(`^Organization id +${id}$`, 'm'))
      expect(stdout).toMatch(/^Members +2\nOwners +1\nInvitations +0$/m)
      expect(stdout).toMatch(/Owners:\n {2}\S+ +mary@example\.com +Mary \ufffd\[31mOwner\n$/)
      const asJson = await svc('organizations', 'show', id, '--output', 'json')
      expect(JSON.parse(asJson.stdout)).toMatchObject({ organizationId: id, memberCount: 2 })
    })

    it('closes one and opens it again, with the reason in the trail', async () => {
      const closed = await svc('organizations', 'close', 'blue-whale', '--reason', 'Abuse')
      expect(closed.stdout).toMatch(
        /^Blue \ufffdWhale is closed, and will be deleted at \d{4}-.* "svc organizations reopen" stops that\.\n$/,
      )
      expect((await svc('organizations', 'show', id)).stdout).toMatch(
        /^Closed +\d{4}-\S+ by an operator\nDeleted at +\d{4}-/m,
      )
      const again = await svc('organizations', 'close', id, '--reason', 'Abuse')
      expect(again).toMatchObject({ code: 1, stdout: '' })
      expect(again.stderr).toContain('The organization is closed already. (409 ConflictError')
      const opened = ['reopen', id, '--reason', 'A mistake', '--output', 'json']
      expect(JSON.parse((await svc('organizations', ...opened)).stdout)).toEqual({
        organizationId: id,
      })
      const { stdout } = await svc(
        'call',
        'listAuditEvents',
        '--json',
        `{"query":{"target":"${id}"}}`,
      )
      expect(JSON.parse(stdout).data.map(({ act, details }: Row) => [act, details.reason])).toEqual(
        [
          ['organization.reopened', 'A mistake'],
          ['organization.closed', 'Abuse'],
        ],
      )
    })

    it('makes a member an owner too', async () => {
      const args = [
        'add-owner',
        'blue-whale',
        '--user',
        'joan@example.com',
        '--reason',
        'Mary left',
      ]
      expect((await svc('organizations', ...args)).stdout).toBe(
        'joan@example.com is an owner of Blue \ufffdWhale now.\n',
      )
      expect((await svc('organizations', 'show', id)).stdout).toMatch(/^Owners +2$/m)
    })

    it('ends policies that no owner can meet', async () => {
      await board().pool.query(
        `update organizations.organizations set policies = '{"waysIn":["dropped","gone"],"maxIdleHours":12}' where organization_id = $1`,
        [id],
      )
      const show = async () => (await svc('organizations', 'show', id)).stdout
      expect(await show()).toMatch(/^Policies +waysIn: dropped, gone; maxIdleHours: 12$/m)
      const clear = ['organizations', 'clear-policies', 'blue-whale', '--reason', 'It is gone']
      expect((await svc(...clear)).stdout).toBe(
        'Blue \ufffdWhale asks nothing of its members now, beyond their roles.\n',
      )
      expect(await show()).toMatch(/^Policies +none$/m)
    })

    it.each([
      [2, ['close', 'blue-whale'], 'This needs --reason <text>'],
      [2, ['add-owner', 'blue-whale', '--reason', 'x'], 'This needs --user <user>'],
      [2, ['list', '--state', 'failed'], '--state takes open or closed'],
      [1, ['show', 'blue'], 'There is no organization "blue". "svc organizations list" finds'],
      [1, ['show', '00000000-0000-4000-8000-000000000000'], 'OrganizationNotFoundError'],
      [1, ['list', '--member', 'none@example.com'], 'There is no user "none@example.com".'],
    ])('exits %i for %s, and says why', async (exit, args, said) => {
      const { code, stdout, stderr } = await svc('organizations', ...args)
      expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
      expect(stderr).toContain(said)
    })

    it('says of an application without organizations that it has none', async () => {
      await board().application.write(
        'bare.ts',
        `import { defineServer } from '@svc/core'\nexport default defineServer()\n`,
      )
      const bare = ['--server', join(board().application.root, 'bare.ts')]
      const { code, stderr } = await svc('organizations', 'list', ...bare)
      expect(code).toBe(1)
      expect(stderr).toContain('This application has no organizations. Add @svc/organizations')
    })
  })
}

interface Row {
  act: string
  details: { reason?: string }
}
