import { systemClock } from '../../base/clock.ts';
import { scripted } from '../../recognizers/scripted/scripted.ts';
import { childProcessesExecutor } from './child-processes.ts';
import { executorConformance } from './conformance.ts';
import { inProcessExecutor } from './in-process.ts';

const baseFolder = import.meta.dirname;
const services = { baseFolder, environment: () => undefined, fileHash: async () => '' };

executorConformance({
  name: 'in this process',
  survivesCrashes: false,
  create: (recognizers) =>
    inProcessExecutor((name) => scripted.open(scripted.options.parse(recognizers[name]), services), systemClock),
});

executorConformance({
  name: 'in child processes',
  survivesCrashes: true,
  create: (recognizers) =>
    childProcessesExecutor({
      entry: new URL('../../recognizer-host.ts', import.meta.url),
      addresses: Object.fromEntries(
        Object.entries(recognizers).map(([name, written]) => {
          const options = JSON.parse(JSON.stringify(scripted.options.parse(written)));
          return [name, { type: 'scripted', options, baseFolder }];
        }),
      ),
      concurrency: { one: 8, other: 8 },
      clock: systemClock,
    }),
});
