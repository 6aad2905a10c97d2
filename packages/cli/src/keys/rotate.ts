import { nearest } from '@svc/core/nearest'
import { nearestPackage } from '../application/application.ts'
import { envFile, readEnvFile } from '../env.ts'
import { newKeyId, type Secret, secrets } from '../environment/environment.ts'
import { CommandFailure, UsageError } from '../failure.ts'
import { paint } from '../terminal.ts'
import { changeInEnvFile } from './env-file.ts'

interface Rotation {
  /** The variables with the new secret in front, of those that are set now. */
  turn: (variables: Record<string, string | undefined>, secret: Secret) => Record<string, string>
  /** In which order to deploy, and when the old one may be removed. */
  steps: string
}

const rotations: Record<string, Rotation> = {
  SVC_AUTH_TOKEN_ENCRYPTION_KEYS: {
    turn: inFrontOfList,
    steps: `1. Deploy the API. From then on, it encrypts with the new key. An instance that has only the old
   list cannot read that. If you replace several instances one after the other, first deploy the
   list with the new key at its end, and then the list as it is now.
2. Keep the old key until nothing needs it: keyringUse() of @svc/auth/server counts what does.`,
  },
  SVC_AUTH_SESSION_SECRET: {
    turn: (
      { SVC_AUTH_SESSION_SECRET: old = '', SVC_AUTH_SESSION_SECRET_PREVIOUS: older },
      made,
    ) => ({
      SVC_AUTH_SESSION_SECRET: made.make(''),
      SVC_AUTH_SESSION_SECRET_PREVIOUS: older ? `${old},${older}` : old,
    }),
    steps: `1. Deploy the web app with both variables. No user is signed out: the old secret still opens their
   cookies. If you replace several instances one after the other, an old one cannot open cookies of
   a new one. So first deploy the new secret as the previous one, and then as it is now.
2. After SVC_AUTH_SESSION_TTL (7d), remove the old secret from SVC_AUTH_SESSION_SECRET_PREVIOUS.`,
  },
  SVC_PROXY_SECRET: {
    turn: inFrontOfList,
    steps: `1. Deploy the API: it accepts signatures of both secrets.
2. Then deploy the web app: it signs with the new secret, which an old API refuses.
3. Remove the old secret, and deploy both in any order.`,
  },
}

export async function rotate(variable: string) {
  const rotation = rotations[variable]
  const secret = secrets.find(({ name }) => name === variable)
  if (!rotation || !secret) throw unknown(variable)
  process.chdir(nearestPackage(process.cwd()))
  const variables = readEnvFile()
  if (!variables[variable]) throw notThere(variable)
  const turned = rotation.turn(variables, secret)
  const inFile = Object.keys(turned).find((name) => variables[`${name}_FILE`])
  if (inFile) throw new CommandFailure(`${envFile} has ${inFile}_FILE: change that file by hand.`)
  changeInEnvFile(turned)
  console.log(`${paint('green', 'wrote')} ${envFile}: ${Object.keys(turned).join(', ')}\n`)
  console.log(rotation.steps)
  return 0
}

function inFrontOfList(variables: Record<string, string | undefined>, { name, make }: Secret) {
  const list = variables[name] ?? ''
  const keyIds = list.split(',').map((entry) => entry.trim().split(':')[0] ?? '')
  return { [name]: `${make(newKeyId(keyIds))},${list}` }
}

function unknown(variable: string) {
  const names = Object.keys(rotations)
  const meant = nearest(variable, names)
  const hint = meant ? `Did you mean ${meant}?` : `It takes ${names.join(', ')}.`
  return new UsageError(`svc keys rotate does not take "${variable}". ${hint}`)
}

function notThere(variable: string) {
  return new CommandFailure(
    `${variable} is not in ${envFile}. To create it there, run "npx @svc/cli keys --env". If you keep it in
another place, take a new secret from "npx @svc/cli keys" and put it before the old one there.`,
  )
}
