import { tmpdir } from 'node:os'
import { expect, vi } from 'vitest'
import { main } from '../main.ts'
import type { Different, TestDeployment } from './deployment.ts'

interface Run {
  args?: string[]
  env?: Record<string, string>
}

/** Runs the command on a deployment, in this process, and writes its addresses as names. */
export async function diagnose({ app, api }: TestDeployment, { args = [], env = {} }: Run = {}) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const [out, err] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  for (const printed of [out, err]) printed.mockReset().mockReturnValue()
  // Elsewhere than in the checkout, whose database of development would be looked into.
  const folder = vi.spyOn(process, 'cwd').mockReturnValue(tmpdir())
  const code = await main(['doctor', '--app', app, '--api', api, ...args])
  folder.mockRestore()
  vi.unstubAllEnvs()
  const text = out.mock.calls.map(([line = '']) => `${line}\n`).join('')
  const stdout = text.replaceAll(app, '<app>').replaceAll(api, '<api>')
  const stderr = err.mock.calls.join('\n')
  return { code, stdout: stdout.replaceAll(new URL(app).port, '<port>'), stderr }
}

/** What it says when one thing is wrong. */
export async function faultOf(deployment: TestDeployment, different: Different) {
  deployment.behave(different)
  const { code, stdout, stderr } = await diagnose(deployment)
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toContain('One thing is wrong.')
  return stdout.slice(stdout.indexOf('✗')).split('\n\n')[0]
}
