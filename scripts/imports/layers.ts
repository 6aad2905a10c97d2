import { type House, type Layers, unlistedCapabilities } from './house.ts'
import { isShipped, placeOf } from './place-of.ts'
import type { SourceFile } from './read-source.ts'
import type { Refusal } from './refusal.ts'

/** A folder may import only lower layers of its own package. Tests may import everything. */
export function layers(files: SourceFile[], house: House): Refusal[] {
  return Object.entries(house).flatMap(([name, ofPackage]) => {
    const own = files.filter((file) => isShipped(file) && placeOf(file.path)?.name === name)
    const heights = heightsOf(ofPackage, own)
    return [...missing(own, name, heights), ...upwards(own, heights)]
  })
}

function heightsOf(ofPackage: Layers, own: SourceFile[]) {
  const listed = new Set(ofPackage.flat())
  const others = capabilities(own).filter((place) => !listed.has(place))
  return new Map(
    ofPackage.flatMap((layer, height) =>
      layer
        .flatMap((place) => (place === unlistedCapabilities ? others : place))
        .map((place) => [place, height] as const),
    ),
  )
}

function capabilities(own: SourceFile[]) {
  return own
    .map(({ path }) => ({ path, place: placeOf(path)?.place ?? '' }))
    .filter(({ path, place }) => path.endsWith(`/src/${place}/capability.ts`))
    .map(({ place }) => place)
}

/** The list must match the folders. */
function missing(own: SourceFile[], name: string, heights: Map<string, number>): Refusal[] {
  const places = new Map(own.map(({ path }) => [placeOf(path)?.place ?? '', path]))
  const unlisted = [...places].filter(([place]) => !heights.has(place))
  const gone = [...heights.keys()].filter((place) => !places.has(place))
  return [
    ...unlisted.map(([place, path]) => ({
      path,
      line: 1,
      rule: `${place} has no layer: add it to ${name} in scripts/imports/house.ts, above all that it imports`,
    })),
    ...gone.map((place) => ({
      path: 'scripts/imports/house.ts',
      line: 1,
      rule: `${name} has no ${place}: take it out of the list`,
    })),
  ]
}

function upwards(own: SourceFile[], heights: Map<string, number>): Refusal[] {
  return own.flatMap(({ path, imports }) => {
    const from = placeOf(path)
    return imports.flatMap(({ target, line }) => {
      const to = target === null ? null : placeOf(target)
      if (!from || !to || to.name !== from.name || to.place === from.place) return []
      const [low, high] = [heights.get(from.place), heights.get(to.place)]
      if (low === undefined || high === undefined || high < low) return []
      const where = high === low ? 'in the same layer' : 'in a higher layer'
      const rule = `${from.place} → ${to.place}, which is ${where} of ${from.name}: move what both need to a lower layer, or let ${from.place} declare an interface of what it needs`
      return [{ path, line, rule }]
    })
  })
}
