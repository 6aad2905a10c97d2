import { describe, expect, it } from 'vitest'
import type { Svc } from './calls.ts'

/** For a computer that is signed in as a superadmin, to an API with three tools for agents. */
export function describeTools(svc: Svc) {
  describe('svc tools', { timeout: 60_000 }, () => {
    it('lists what each endpoint offers, and which permissions an agent needs for it', async () => {
      const { code, stdout } = await svc('tools')
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `/mcp (mcp): 3 tools, 1 resource
Tool          Title            Does                 Needs
greet         Greet            reads                greeting:read
forget        Forget           deletes              greeting:forget or greeting:write
writeLetter   Write a letter   changes, as a task   greeting:write
Resource    Title       Needs
greetings   Greetings   greeting:read
`,
      })
    })

    it('lists what an agent of a user with a role would see', async () => {
      const { stdout } = await svc('tools', '--role', 'user')
      expect(stdout).toMatch(
        /^\/mcp \(mcp\): 1 of 3 tools, 1 resource\nTool .*\ngreet .*\nRes.*\ngreetings .*\n$/,
      )
      await svc('roles', 'create', 'forgetful', '--permissions', 'greeting:write')
      const other = await svc('tools', '--role', 'forgetful')
      expect(other.stdout).toMatch(
        /2 of 3 tools, 0 of 1 resource\nTool .*\nforget .*\nwriteLetter .*\n$/,
      )
      await svc('roles', 'create', 'idle', '--display-name', 'Idle')
      expect((await svc('tools', '--role', 'idle')).stdout).toBe(
        '/mcp (mcp): 0 of 3 tools, 0 of 1 resource\n',
      )
    })

    it('prints what an agent reads of each as JSON', async () => {
      const { stdout } = await svc('tools', '--role', 'user', '--json')
      expect(JSON.parse(stdout)).toEqual([
        {
          endpoint: 'mcp',
          path: '/mcp',
          tools: [
            {
              name: 'greet',
              title: 'Greet',
              description: 'Greets someone.',
              permissions: ['greeting:read'],
              inputSchema: {
                type: 'object',
                properties: { name: { type: 'string', maxLength: 9 } },
                required: ['name'],
                additionalProperties: false,
              },
            },
          ],
          resources: [
            {
              name: 'greetings',
              title: 'Greetings',
              description: 'All greetings.',
              permissions: ['greeting:read'],
            },
          ],
        },
      ])
    })

    it('says where the job of a tool is read and cancelled', async () => {
      const [{ tools }] = JSON.parse((await svc('tools', '--json')).stdout)
      expect(tools[2]).toMatchObject({ name: 'writeLetter', task: { read: 'readLetter' } })
      expect(tools[0]).not.toHaveProperty('task')
    })

    it('exits 1 for a role that is not there, and says where the roles are', async () => {
      const { code, stdout, stderr } = await svc('tools', '--role', 'usr')
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain('There is no role "usr". "svc roles list" has them all.')
    })
  })
}
