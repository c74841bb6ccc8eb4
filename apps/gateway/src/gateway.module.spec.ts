import { type RouteDefinition, routes } from '@annals/contracts';
import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { GatewayOptions } from './config.js';
import { GatewayModule } from './gateway.module.js';
import { fastifyPath } from './http/endpoint.js';
import {
  CONSOLE_PATHS,
  DOCUMENT_PATHS,
  PERSON_PAGE_PATHS,
  RESOURCE_METADATA_PATHS,
  SIGN_IN_PATHS,
} from './http/route-table.js';

describe('GatewayModule', () => {
  it('serves each route of the table once, and no others', () => {
    const served = listControllers(GatewayModule.forRoot({} as GatewayOptions)).flatMap(listServed);
    const table = Object.values<RouteDefinition>(routes)
      // The public ones, health and metrics, are served by OperationsModule in every process.
      .filter(({ scopes }) => scopes !== 'public')
      .map(({ method, path }) => `${method} ${fastifyPath(path)}`);
    const pages = [...DOCUMENT_PATHS, ...CONSOLE_PATHS, ...PERSON_PAGE_PATHS, ...RESOURCE_METADATA_PATHS].map(
      (path) => `GET ${path}`,
    );
    expect(served.toSorted()).toEqual([...table, ...pages, ...SIGN_IN_PATHS.map((path) => `POST ${path}`)].toSorted());
  });
});

/** The controllers of a module and of all modules that it imports, each once. */
function listControllers(root: Type | DynamicModule, seen = new Set<Type>()): Type[] {
  const type = 'module' in root ? root.module : root;
  if (seen.has(type)) return [];
  seen.add(type);
  const read = (key: string): (Type | DynamicModule)[] => Reflect.getMetadata(key, type) ?? [];
  const imported = ('module' in root && (root.imports as DynamicModule[])) || read(MODULE_METADATA.IMPORTS);
  const own = read(MODULE_METADATA.CONTROLLERS) as Type[];
  return [...own, ...imported.flatMap((module) => listControllers(module, seen))];
}

/** `GET /v1/batches/:id` for each handler of a controller. */
function listServed({ prototype }: Type): string[] {
  const handlers = Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(
    ([name]) => name !== 'constructor',
  );
  return handlers.flatMap(([, { value: handler }]) => {
    const paths = [(Reflect.getMetadata(PATH_METADATA, handler) as string | string[] | undefined) ?? []].flat();
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
    return paths.map((path) => `${RequestMethod[method]} /${path.replace(/^\//, '')}`);
  });
}
