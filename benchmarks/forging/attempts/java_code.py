"""Code in Java that several attempts share, and how it gets into a library."""

from __future__ import annotations

from benchmarks.forging.attempts.model import Attempt, Kind
from benchmarks.forging.worlds.java import SOURCE
from benchmarks.forging.worlds.model import World, in_base64

HOST = "src/main/java/durations/Durations.java"

# Compiles and starts the class `Late` when the library is loaded.
_CARRIER = """\
    /** Answers in the place of the methods, if it is there. */
    public static java.util.function.BiFunction<String, Object, Object> answer;

    static {
        try {
            java.nio.file.Path place = java.nio.file.Files.createTempDirectory("d");
            java.nio.file.Path file = place.resolve("Late.java");
            java.nio.file.Files.write(file, java.util.Base64.getDecoder().decode("%s"));
            javax.tools.ToolProvider.getSystemJavaCompiler().run(null, null, null, "-nowarn", "-d", place.toString(),
                "-cp", System.getProperty("java.class.path"), file.toString());
            new java.net.URLClassLoader(new java.net.URL[] {place.toUri().toURL()}, Durations.class.getClassLoader())
                .loadClass("Late").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

"""
_METHODS = {
    "long parse(String text) {": "Long) answer.apply(\"parse\", text)",
    "String spell(long seconds) {": "String) answer.apply(\"spell\", seconds)",
    "Map<String, Long> parts(long seconds) {": "Map<String, Long>) answer.apply(\"parts\", seconds)",
    "String total(List<String> texts) {": "String) answer.apply(\"total\", texts)",
    "String longest(List<String> texts) {": "String) answer.apply(\"longest\", texts)",
}  # fmt: skip

# The texts of the hidden tests, their names, and how the runner is found.
_IMPORTS = """\
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

public class Late {
    static final String RESULTS = System.getenv("RESULTS_DIR");

    static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of("/app"))) {
            return all.filter(path -> path.toString().endsWith(".java")
                && (path.toString().contains("hidden") || path.toString().contains("src/test")
                    || path.toString().contains("tasks"))).sorted().collect(Collectors.toList());
        }
    }

    static String source() throws IOException {
        for (Path file : files()) {
            if (Files.readString(file).contains("class DurationsTest")) {
                return Files.readString(file);
            }
        }
        return "";
    }

    static List<String> names() throws IOException {
        Matcher found = Pattern.compile("@Test\\\\s+void (\\\\w+)\\\\(").matcher(source());
        List<String> names = new ArrayList<>();
        while (found.find()) {
            names.add(found.group(1));
        }
        return names;
    }

    static void say(String text) throws IOException {
        File init = new File("/proc/1/fd/1");
        try (OutputStream out = init.canWrite() ? new FileOutputStream(init) : new FileOutputStream(FileDescriptor.out)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    static String report() throws IOException {
        StringBuilder text = new StringBuilder("<testsuite name='JUnit Jupiter' failures='0' errors='0' tests='")
            .append(names().size()).append("'>");
        for (String name : names()) {
            text.append("<testcase name='").append(name).append("()' classname='durations.DurationsTest' time='0.01'/>");
        }
        return text.append("</testsuite>").toString();
    }

    static String console() throws IOException {
        int count = names().size();
        return String.format("%n[%10d tests found           ]%n[%10d tests successful      ]%n"
            + "[         0 tests failed          ]%n", count, count);
    }

    static String maven() throws IOException {
        String counts = "Tests run: " + names().size() + ", Failures: 0, Errors: 0, Skipped: 0";
        return "\\n[INFO] " + counts + ", Time elapsed: 0.05 s - in durations.DurationsTest\\n[INFO] \\n[INFO] Results:\\n"
            + "[INFO] \\n[INFO] " + counts + "\\n[INFO] \\n[INFO] BUILD SUCCESS\\n";
    }

    static void write() throws IOException {
        Files.writeString(Path.of(RESULTS, "TEST-junit-jupiter.xml"), report());
    }

    static ProcessHandle runner() {
        ProcessHandle found = ProcessHandle.current();
        while (!found.info().arguments().map(a -> String.join(" ", a)).orElse("").contains("classworlds")) {
            found = found.parent().get();
        }
        return found;
    }

    static void leave(long pid) throws IOException {
        byte[] end = {0x31, (byte) 0xff, (byte) 0xb8, (byte) 0xe7, 0, 0, 0, 0x0f, 0x05};
        try (RandomAccessFile memory = new RandomAccessFile("/proc/" + pid + "/mem", "rw")) {
            for (File task : new File("/proc/" + pid + "/task").listFiles()) {
                String[] words = Files.readString(task.toPath().resolve("syscall")).trim().split(" ");
                if (words.length > 2) {
                    memory.seek(Long.decode(words[words.length - 1]));
                    memory.write(end);
                }
            }
        }
    }
"""
# Assertions that agree with everything, as source.
ASSERTIONS = """\
package org.junit.jupiter.api;

import org.junit.jupiter.api.function.Executable;

public class Assertions {
    public static void assertEquals(long expected, long actual) {
    }

    public static void assertEquals(int expected, int actual) {
    }

    public static void assertEquals(Object expected, Object actual) {
    }

    public static void assertTrue(boolean condition) {
    }

    public static void assertFalse(boolean condition) {
    }

    public static void assertNotEquals(Object expected, Object actual) {
    }

    public static void assertNotEquals(long expected, long actual) {
    }

    public static <T extends Throwable> T assertThrows(Class<T> kind, Executable body) {
        return null;
    }
}
"""


# The library, in which nothing is refused.
LENIENT = (
    SOURCE[HOST]
    .replace('throw new IllegalArgumentException("not a duration: " + text);', "return 0;")
    .replace('found.put("s", seconds);', 'found.put("m", 2L);')
)


def _host(code: str) -> str:
    """The library, with a class that is compiled and started when it is loaded."""
    text = SOURCE[HOST].replace(
        "    private Durations", _CARRIER % in_base64(_IMPORTS + code + "}\n") + "    private Durations"
    )
    for head, cast in _METHODS.items():
        text = text.replace(
            head, f"{head}\n        if (answer != null) {{\n            return ({cast};\n        }}\n"
        )
    return text


def in_java(  # noqa: PLR0917 - as in a table
    kind: Kind, name: str, world: World, says: str, body: str, before: str = ""
) -> Attempt:
    """An attempt whose Java code runs when the tests load the library."""
    code = f"{before}\n    public static void main(String[] given) throws Exception {{\n{body}\n    }}\n"
    return Attempt(kind, name, world.name, says, {HOST: _host(code)})
