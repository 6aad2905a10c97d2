import { readFile } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import { routeMapOfServer } from '@svc/core'
import type { Application } from '../application/application.ts'
import { CommandFailure } from '../failure.ts'
import { generatedBy, renderRouteMap } from './render-route-map.ts'

export interface RouteMapChange {
  file: string
  contents: string
  /** For example `3 routes`. */
  what: string
}

/** The new route map file if the router has changed; null if the file is up to date. */
export async function routeMapChange(application: Application): Promise<RouteMapChange | null> {
  const { definition, server, routeMap: file } = application
  const routeMap = routeMapOfServer(definition)
  if (!definition.settings.router && Object.keys(routeMap).length === 0) return null
  const from = relative(dirname(file), server).split(sep).join('/')
  const contents = renderRouteMap(routeMap, from)

  const present = await read(file)
  if (present === contents) return null
  if (present && !present.startsWith(generatedBy)) {
    throw new CommandFailure(
      `${relative('.', file)} was not written by svc generate: move it away, or name another file with --route-map.`,
    )
  }
  const count = Object.keys(routeMap).length
  return { file, contents, what: count === 1 ? '1 route' : `${count} routes` }
}

/** Null if there is none. Git may have written its lines with CRLF. */
async function read(file: string) {
  try {
    return (await readFile(file, 'utf8')).replaceAll('\r\n', '\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
