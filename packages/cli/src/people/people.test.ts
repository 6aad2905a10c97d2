import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadDefinition } from '../application/load-definition.ts'
import { callNamed } from '../call/call.ts'
import { password } from '../testing/board.ts'
import { describeCalls } from '../testing/calls.ts'
import { describeOrganizations } from '../testing/organizations.ts'
import { describeTools } from '../testing/tools.ts'
import { code, patience, useBoard } from './test-people.ts'

const typed = useBoard()
const { svc } = typed

async function addUser(email: string, displayName = 'A user') {
  await typed.board.pool.query(
    `with added as (
       insert into svc_auth.users (user_id, public_id, email, role, created_at)
       values (gen_random_uuid(), gen_random_uuid(), $1, 'user', now()) returning user_id
     )
     insert into svc_auth.profiles (user_id, display_name) select user_id, $2 from added`,
    [email, displayName],
  )
}

/** The cases follow one computer, in this order. */
describe('svc login', patience, () => {
  it('says what is missing where this computer is not signed in', async () => {
    const { code: exit, stderr } = await svc('users', 'list')
    expect(exit).toBe(1)
    expect(stderr).toContain(`not signed in to ${typed.board.url}: run "npx @svc/cli login".`)
    expect(await svc('whoami')).toMatchObject({ code: 1, stderr: '' })
  })

  it('shows a code, and signs in once the owner has let it in on another device', async () => {
    const login = typed.board.begin('login')
    await typed.board.decide(await login.printed(code), 'approve')
    expect(await login.ended).toBe(0)
    expect(login.output()).toContain('Signed in as ada@example.com (superadmin).\n')
    expect(login.output()).toMatch(/key begins with [\w-]{8}\. The code expires in 10 minutes/)
  })

  it.skipIf(process.platform === 'win32')(
    'keeps the key where only its user reads it (Windows has no modes)',
    async () => {
      expect((await stat(typed.board.keyFile)).mode & 0o077).toBe(0)
      expect(JSON.parse(await readFile(typed.board.keyFile, 'utf8'))).toHaveProperty('privateKey')
    },
  )

  it('says whose device this computer is, and signs in no second time', async () => {
    expect(await typed.board.svc('whoami')).toMatchObject({
      code: 0,
      stdout: `ada@example.com (superadmin) at ${typed.board.url}\n`,
    })
    const { stdout } = await svc('login')
    expect(stdout).toContain('signed in already, as ada@example.com')
  })
})

describeCalls(svc)

describe('svc users', patience, () => {
  it('lists those whose address begins with a word, as a table and as JSON', async () => {
    await addUser('grace@example.com', 'Grace \u001b[31mHopper\u202e')
    await addUser('linus@example.com')
    const { stdout } = await svc('users', 'list', '--email', 'gra')
    expect(stdout).toMatch(/^User id +Address or number +Name +Role +Status +Last sign-in\n/)
    expect(stdout).toContain('grace@example.com')
    expect(stdout).not.toContain('linus')
    const asJson = await svc('users', 'list', '--email', 'gra', '--output', 'json')
    expect(JSON.parse(asJson.stdout).users).toMatchObject([{ email: 'grace@example.com' }])
  })

  it('lets nothing that users have written steer the terminal', async () => {
    for (const args of [['list'], ['show', 'grace@example.com']]) {
      for (const output of ['table', 'json']) {
        const { stdout } = await svc('users', ...args, '--output', output)
        expect(stdout).toContain('Hopper')
        expect(stdout).not.toContain('\u001b')
        expect(stdout).not.toContain('\u202e')
      }
    }
  })

  it('goes on where a list has ended', async () => {
    const first = await svc('users', 'list', '--limit', '1')
    const after = /add --after (\S+)\n$/.exec(first.stdout)?.[1] ?? ''
    const second = await svc('users', 'list', '--limit', '1', '--after', after)
    const [row] = first.stdout.split('\n').slice(1)
    expect(second.stdout).not.toContain(row)
    expect(second.stdout).toContain('@example.com')
  })

  it('suspends a user by their address, with the reason in the trail', async () => {
    const args = ['users', 'suspend', 'grace@example.com', '--reason', 'A test']
    const { code: exit, stdout } = await svc(...args)
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: 'grace@example.com is suspended, and signed out everywhere.\n',
    })
    const shown = (await svc('users', 'show', 'grace@example.com')).stdout
    expect(shown).toMatch(/^Status +suspended\nSuspended +\d{4}-.*\nBy +ada@example.com\n/m)
    expect(shown).toMatch(/^Reason +A test$/m)
    const trail = await svc('audit', 'list', '--act', 'account.suspended')
    expect(trail.stdout).toMatch(
      / account\.suspended +done +ada@example\.com +grace@example\.com$/m,
    )
    const byAddress = ['--actor', 'ada@example.com', '--target', 'grace@example.com']
    expect((await svc('audit', 'list', ...byAddress)).stdout).toContain('account.suspended')
  })

  it('gives a role beside others, and lists the roles', async () => {
    const args = ['users', 'add-role', 'linus@example.com', '--role', 'admin']
    const { stdout } = await svc(...args)
    expect(stdout).toBe('linus@example.com has these roles now: admin, user.\n')
    expect((await svc('roles', 'list')).stdout).toMatch(/^superadmin .*\n/m)
    const { code: exit, stderr } = await svc('users', 'add-role', 'linus@example.com')
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: 'This needs a role: --role <role>\n' })
  })

  it('refuses a user that is not there, and says how to find one', async () => {
    const { code: exit, stderr } = await svc('users', 'suspend', 'none@example.com')
    expect(exit).toBe(1)
    expect(stderr).toContain('There is no user "none@example.com". "svc users list" finds')
  })
})

describe('svc roles', patience, () => {
  it('creates a role, changes it, grants and takes permissions, and deletes it', async () => {
    const roles = async (...args: string[]) => (await svc('roles', ...args)).stdout
    const given = ['--display-name', 'Readers', '--permissions', 'user:read']
    expect(await roles('create', 'reader', ...given)).toBe(
      'reader is created. It may: user:read.\n',
    )
    expect(await roles('grant', 'reader', '--permissions', 'audit:read,job:read')).toBe(
      'reader is changed. It may: audit:read, job:read, user:read.\n',
    )
    expect(await roles('revoke', 'reader', '--permissions', 'user:read')).toBe(
      'reader is changed. It may: audit:read, job:read.\n',
    )
    await roles('update', 'reader', '--name', 'auditor', '--priority', '5')
    expect(await roles('list')).toMatch(/^auditor +Readers +5 +audit:read, job:read$/m)
    expect(await roles('delete', 'auditor')).toBe('auditor is deleted.\n')
    expect(await roles('list')).not.toContain('auditor')
  })

  it('prints what the operation answers, with --output json', async () => {
    const made = await svc('roles', 'create', 'clerk', '--output', 'json')
    const { role } = JSON.parse(made.stdout)
    expect(role).toMatchObject({ name: 'clerk', displayName: 'clerk', permissions: [] })
    const gone = await svc('roles', 'delete', role.roleId, '--output', 'json')
    expect(JSON.parse(gone.stdout)).toEqual({ roleId: role.roleId, name: 'clerk' })
  })

  it.each([
    [2, ['update', 'user'], 'This changes nothing: give --name, '],
    [2, ['grant', 'user'], 'This needs permissions: --permissions <names>'],
    [2, ['create', 'clerk', '--permissions', 'a b'], '--permissions takes names with commas'],
    [2, ['create', 'clerk', '--priority', '1001'], '--priority takes a number from 0 to 1000'],
    [1, ['delete', 'clerk'], 'There is no role "clerk". "svc roles list" has them all.'],
    [1, ['revoke', 'user', '--permissions', 'user:raed'], 'user does not have the permission'],
    [1, ['grant', 'user', '--permissions', 'user:raed'], 'PermissionNotFoundError'],
    [1, ['delete', 'user'], 'BuiltinRoleError'],
  ])('exits %i for %s, and says why', async (exit, args, said) => {
    const { code: ended, stdout, stderr } = await svc('roles', ...args)
    expect({ ended, stdout }).toEqual({ ended: exit, stdout: '' })
    expect(stderr).toContain(said)
  })
})

describe('svc jobs', patience, () => {
  const job = 'svc.forget-expired'
  const message = 'out of \u001b[31mpaper\nat the printer'

  async function addJob(state: 'failed' | 'created') {
    const over = state === 'failed' ? 'now()' : 'null'
    const { rows } = await typed.board.pool.query<{ id: string }>(
      `insert into svc_jobs.job (name, state, data, output, retry_limit, start_after, started_on, completed_on)
       values ($1, $2, '{}', $3, 0, now() + interval '1 hour', ${over}, ${over}) returning id`,
      [job, state, JSON.stringify({ name: 'PrinterError', message })],
    )
    return rows[0]?.id ?? ''
  }

  it('counts the jobs of each name, and says why one has failed', async () => {
    const jobId = await addJob('failed')
    const queues = await svc('jobs', 'queues')
    expect(queues.stdout).toMatch(/^Job +Due +Later +Running +Failed +Next run\n/)
    expect(queues.stdout).toMatch(/^svc\.forget-expired +\d+ +\d+ +\d+ +1 +\d{4}-\d\d-\d\dT/m)
    const { stdout } = await svc('jobs', 'list', '--job', job, '--state', 'failed')
    expect(stdout).toMatch(new RegExp(`^${jobId} .* PrinterError: out of \ufffd\\[31mpaper$`, 'm'))
    expect(stdout).not.toContain('\u001b')
    expect(stdout).not.toContain('at the printer')
    const asJson = await svc('jobs', 'list', '--state', 'failed', '--output', 'json')
    expect(asJson.stdout).not.toContain('\u001b')
    expect(JSON.parse(asJson.stdout).jobs[0]).toMatchObject({ jobId, job, error: { message } })
  })

  it('shows a job with the stack of its error and its input, and no secret of it', async () => {
    const jobId = await addJob('failed')
    const stack = `PrinterError: ${message}\n    at print (shop.ts:7:1)`
    const input = { order: 7, token: 'only-for-the-printer' }
    await typed.board.pool.query(
      'update svc_jobs.job set output = output || $2::jsonb, data = $3::jsonb where id = $1',
      [jobId, JSON.stringify({ stack }), JSON.stringify({ input })],
    )
    const { stdout, code: exit } = await svc('jobs', 'show', jobId)
    expect(exit).toBe(0)
    expect(stdout).toMatch(new RegExp(`^Job id +${jobId}$`, 'm'))
    expect(stdout).toContain('  PrinterError: out of \ufffd[31mpaper\n')
    expect(stdout).toContain('      at print (shop.ts:7:1)\n')
    expect(stdout).toContain('    "order": 7,\n    "token": "[redacted]"')
    const asJson = await svc('jobs', 'show', jobId, '--output', 'json')
    expect(JSON.parse(asJson.stdout)).toMatchObject({ jobId, job, error: { stack } })
    const unknown = await svc('jobs', 'show', '00000000-0000-4000-8000-000000000000')
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toContain('JobNotFoundError')
  })

  it('goes on where a list has ended', async () => {
    await addJob('created')
    const waiting = await addJob('created')
    const args = ['jobs', 'list', '--job', job, '--state', 'waiting', '--limit', '1']
    const first = await svc(...args)
    expect(first.stdout).toContain(waiting)
    const after = /add --after (\S+)\n$/.exec(first.stdout)?.[1] ?? ''
    const second = await svc(...args, '--after', after)
    expect(second.stdout).toContain(job)
    expect(second.stdout).not.toContain(waiting)
  })

  it('runs a failed job once more, and cancels one that waits, with both in the trail', async () => {
    const [failed, waiting] = [await addJob('failed'), await addJob('created')]
    expect(await svc('jobs', 'retry', failed, '--job', job)).toMatchObject({
      code: 0,
      stdout: `The job ${failed} runs once more. "svc jobs list" says what becomes of it.\n`,
    })
    const cancelled = await svc('jobs', 'cancel', waiting, '--job', job, '--output', 'json')
    expect(JSON.parse(cancelled.stdout)).toEqual({ jobId: waiting, job })
    const { rows } = await typed.board.pool.query('select state from svc_jobs.job where id = $1', [
      failed,
    ])
    expect(rows).not.toEqual([{ state: 'failed' }])
    expect((await svc('jobs', 'list', '--state', 'cancelled')).stdout).toContain(waiting)
    const trail = (await svc('audit', 'list')).stdout
    expect(trail).toContain('job.retried')
    expect(trail).toContain('job.cancelled')
  })

  it('exits 1 for a job in another state, and for one that is not there', async () => {
    const waiting = await addJob('created')
    const { code: exit, stderr } = await svc('jobs', 'retry', waiting, '--job', job)
    expect(exit).toBe(1)
    expect(stderr).toContain('Only a failed job can be retried. (409 ConflictError')
    const unknown = '00000000-0000-4000-8000-000000000000'
    const gone = await svc('jobs', 'cancel', unknown, '--job', job)
    expect(gone).toMatchObject({ code: 1, stdout: '' })
    expect(gone.stderr).toContain('JobNotFoundError')
  })

  it.each([
    [['retry', 'x'], 'This needs the name of the job: --job <name>'],
    [['list', '--state', 'active'], '--state takes waiting, running, failed, done or cancelled'],
  ])('exits 2 for %s', async (args, said) => {
    const { code: exit, stderr } = await svc('jobs', ...args)
    expect(exit).toBe(2)
    expect(stderr).toContain(said)
  })
})

describeOrganizations({ board: () => typed.board, svc, addUser })

describeTools(svc)

const signedInLongAgo = () =>
  typed.board.pool.query(
    `update svc_auth.device_keys set authenticated_at = authenticated_at - interval '1 day'`,
  )

describe('a fresh proof', patience, () => {
  it('is asked for in a terminal alone; elsewhere the command fails and says so', async () => {
    await signedInLongAgo()
    const { code: exit, stderr } = await svc('users', 'reactivate', 'grace@example.com')
    expect(exit).toBe(1)
    expect(stderr).toContain('This needs a fresh proof of you: run it in a terminal')
    const user = ['reactivate', 'grace@example.com']
    const asJson = await svc('users', ...user, '--output', 'json')
    expect(JSON.parse(asJson.stderr)).toMatchObject({
      error: { name: 'RecentAuthenticationRequiredError', status: 403, message: stderr.trim() },
    })
  })

  it('is a password that the user types, and the operation is called once more', async () => {
    vi.stubEnv('XDG_CONFIG_HOME', typed.board.env.XDG_CONFIG_HOME)
    onTestFinished(() => void vi.unstubAllEnvs())
    const definition = await loadDefinition(join(typed.board.application.root, 'server.ts'))
    const { rows } = await typed.board.pool.query<{ user_id: string }>(
      `select user_id from svc_auth.users where email = 'grace@example.com'`,
    )
    const asked: string[] = []
    const input = { params: { userId: rows[0]?.user_id }, body: {} }
    await callNamed(definition, {
      flags: { api: typed.board.url },
      name: 'reactivateUser',
      input,
      ask: async (question) => {
        asked.push(question)
        return password
      },
    })
    expect(asked).toEqual(['Your password: '])
    expect((await svc('users', 'show', 'grace@example.com')).stdout).toContain('active')
  })
})

describe('a call that its owner approves', patience, () => {
  it('waits with --approve until that is done in a browser, and is made then', async () => {
    const waiting = typed.board.begin('call', 'wipe', '--approve')
    const page = new URL(await waiting.printed(/Approve it at (\S+)/))
    await typed.board.approve(page.searchParams.get('id') ?? '')
    expect(await waiting.ended).toBe(0)
    expect(waiting.output()).toContain('"wiped": true')
  })

  it('needs a fresh proof without it', async () => {
    await signedInLongAgo()
    const { code: exit, stderr } = await svc('call', 'wipe')
    expect(exit).toBe(1)
    expect(stderr).toContain('This needs a fresh proof of you')
  })
})

describe('svc logout', patience, () => {
  it('ends the key at the API, and deletes the file', async () => {
    expect((await svc('logout')).stdout).toBe('Signed out ada@example.com.\n')
    await expect(stat(typed.board.keyFile)).rejects.toThrow('ENOENT')
    const { rows } = await typed.board.pool.query(
      `select state from svc_auth.device_keys where device_name like 'svc on %' and state = 'active'`,
    )
    expect(rows).toEqual([])
    expect((await svc('logout')).stdout).toBe('This computer was not signed in.\n')
  })
})
