import { awsTranscribe } from './aws-transcribe.ts';
import { jobServices } from './job-services.ts';
import { oneCallServices } from './one-call-services.ts';
import type { HostedService } from './service.ts';

/** Every hosted service by its name in a config. */
export const hostedServices = { ...oneCallServices, ...jobServices, 'aws-transcribe': awsTranscribe } satisfies Record<
  string,
  HostedService
>;

export type ServiceName = keyof typeof hostedServices;

export const serviceNames = Object.keys(hostedServices) as [ServiceName, ...ServiceName[]];
