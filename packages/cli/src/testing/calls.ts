import { describe, expect, it } from 'vitest'

export type Svc = (...args: string[]) => Promise<{ code: number; stdout: string; stderr: string }>

/** For a computer that is signed in as ada@example.com, to an API that greets. */
export function describeCalls(svc: Svc) {
  describe('svc call', { timeout: 60_000 }, () => {
    it('calls an operation of the application with the input of --json', async () => {
      const { stdout } = await svc('call', 'greet', '--json', '{"params":{"name":"Ada"}}')
      expect(JSON.parse(stdout)).toEqual({ greeting: 'Hello Ada' })
    })

    it('signs an operation of a package with the key of this computer', async () => {
      const { stdout } = await svc('call', 'getAuthSession')
      expect(JSON.parse(stdout)).toMatchObject({ email: 'ada@example.com' })
    })

    it('exits 1 where the API refuses, and says which field and which request it was', async () => {
      const input = '{"params":{"name":"A name that is too long"}}'
      const { code: exit, stdout, stderr } = await svc('call', 'greet', '--json', input)
      expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
      expect(stderr).toMatch(/\(400 ValidationError, request [\w-]+\)\n {2}params\.name: /)
    })

    it.each([
      [['grete'], 'no operation "grete". Did you mean "greet"?'],
      [['greet', '--json', '{"name":"Ada"}'], '--json has "name", and takes "params"'],
      [
        ['greet'],
        `This operation is at /greetings/:name, so it needs --json '{"params":{"name":"…"}}'.`,
      ],
      [['greet', '--json', '{'], '--json is not JSON'],
      [['greet', '--json', '[]'], '--json takes an object'],
    ])('exits 2 for %s', async (args, said) => {
      const { code: exit, stderr } = await svc('call', ...args)
      expect(exit).toBe(2)
      expect(stderr).toContain(said)
    })

    /** What is on the standard error with --output json, where nothing else may be. */
    async function failureOf(...args: string[]) {
      const { code: exit, stdout, stderr } = await svc('call', ...args, '--output', 'json')
      expect(stdout).toBe('')
      return { exit, error: JSON.parse(stderr).error }
    }

    it('prints the answer as JSON with --output json, and refusals too', async () => {
      const input = '{"params":{"name":"Ada"}}'
      const { code: exit, stdout } = await svc('call', 'greet', '--json', input, '--output=json')
      expect({ exit, answer: JSON.parse(stdout) }).toEqual({
        exit: 0,
        answer: { greeting: 'Hello Ada' },
      })
      const long = '{"params":{"name":"A name that is too long"}}'
      expect(await failureOf('greet', '--json', long)).toEqual({
        exit: 1,
        error: {
          name: 'ValidationError',
          status: 400,
          requestId: expect.any(String),
          fields: [{ path: 'params.name', message: expect.any(String) }],
          message: expect.stringContaining('(400 ValidationError, request '),
        },
      })
      const nowhere = ['--api', 'http://localhost:9']
      expect(await failureOf('getAuthSession', ...nowhere)).toMatchObject({
        exit: 1,
        error: { name: 'ApiUnreachableError', status: 503 },
      })
    })

    it.each([
      [['grete'], 'no operation "grete"'],
      [['greet', '--json', '{'], '--json is not JSON'],
      [['greet', '--jsn', '{}'], 'has no flag "--jsn"'],
    ])('prints as JSON what is wrong with %s', async (args, said) => {
      expect(await failureOf(...args)).toEqual({
        exit: 2,
        error: { name: 'UsageError', message: expect.stringContaining(said) },
      })
    })

    it('says it where no API answers', async () => {
      const { code: exit, stderr } = await svc('whoami', '--api', 'http://localhost:9')
      expect(exit).toBe(1)
      expect(stderr).toBe('')
      const called = await svc('call', 'getAuthSession', '--api', 'http://localhost:9')
      expect(called.stderr).toContain('No API answers at http://localhost:9: start it')
    })
  })
}
