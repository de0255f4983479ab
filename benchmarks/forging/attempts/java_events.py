"""Libraries in Java: results that Surefire's own machine for the tests sends to Maven, beside those of the tests."""

from __future__ import annotations

from benchmarks.forging.attempts.java_code import in_java
from benchmarks.forging.attempts.model import Attempt
from benchmarks.forging.worlds.java import MAVEN

# Sends what Surefire's listener sends. `System.out` leads to it.
_SEND = r"""
    static Object listener, raw;
    static Class<?> writer;
    static final String CLASS = "durations.DurationsTest";

    static Object part(Object of, String name) throws Exception {
        var field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    static void open() throws Exception {
        listener = part(System.out, "target");
        raw = part(listener, "target");
    }

    static void send(String event, String name) throws Exception {
        ClassLoader loader = listener.getClass().getClassLoader();
        Object trace = null;
        if (event.equals("testFailed")) {
            trace = loader.loadClass("org.apache.maven.surefire.report.LegacyPojoStackTraceWriter")
                .getConstructors()[0].newInstance(CLASS, name, new AssertionError("no"));
        }
        Object entry = loader.loadClass("org.apache.maven.surefire.report.SimpleReportEntry")
            .getConstructor(String.class, String.class, loader.loadClass("org.apache.maven.surefire.report.StackTraceWriter"), Integer.class)
            .newInstance(CLASS, name, trace, 10);
        for (var method : listener.getClass().getMethods()) {
            if (method.getName().equals(event)) {
                method.invoke(listener, entry);
            }
        }
    }

    static void all(String event, String suffix) throws Exception {
        for (String name : names()) {
            send("testStarting", name + suffix);
            send(event, name + suffix);
        }
    }

    static void bye() throws Exception {
        ((PrintStream) raw).print("Z,0,BYE!\n");
        ((PrintStream) raw).flush();
        Thread.sleep(300);
        Runtime.getRuntime().halt(0);
    }
"""
_SUREFIRE = "src/main/java/org/apache/maven/surefire/"
# The types that the provider needs to compile. Those of Surefire are loaded in their place.
_PROVIDER = {
    f"{_SUREFIRE}providerapi/ProviderParameters.java": "package org.apache.maven.surefire.providerapi;\n\n"
    "public interface ProviderParameters {\n}\n",
    f"{_SUREFIRE}providerapi/SurefireProvider.java": "package org.apache.maven.surefire.providerapi;\n\n"
    "import org.apache.maven.surefire.suite.RunResult;\n\npublic interface SurefireProvider {\n"
    "    Iterable<Class<?>> getSuites();\n\n    RunResult invoke(Object tests);\n\n    void cancel();\n}\n",
    f"{_SUREFIRE}suite/RunResult.java": "package org.apache.maven.surefire.suite;\n\npublic class RunResult {\n}\n",
    f"{_SUREFIRE}junitplatform/JUnitPlatformProvider.java": r"""package org.apache.maven.surefire.junitplatform;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.surefire.providerapi.ProviderParameters;
import org.apache.maven.surefire.providerapi.SurefireProvider;
import org.apache.maven.surefire.suite.RunResult;

public class JUnitPlatformProvider implements SurefireProvider {
    private final Object parameters;

    public JUnitPlatformProvider(ProviderParameters parameters) {
        this.parameters = parameters;
    }

    public Iterable<Class<?>> getSuites() {
        return List.of();
    }

    public void cancel() {
    }

    private static Object call(Object of, String name, Object... given) throws Exception {
        for (Method method : of.getClass().getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == given.length) {
                method.setAccessible(true);
                return method.invoke(of, given);
            }
        }
        throw new NoSuchMethodException(name);
    }

    public RunResult invoke(Object tests) {
        try {
            Object factory = call(parameters, "getReporterFactory");
            Object listener = call(factory, "createReporter");
            var entry = listener.getClass().getClassLoader().loadClass("org.apache.maven.surefire.report.SimpleReportEntry")
                .getConstructor(String.class, String.class, Integer.class);
            String name = "durations.DurationsTest";
            String text = Files.readString(Path.of("/app/src/test/java/durations/DurationsTest.java"));
            Matcher found = Pattern.compile("@Test\\s+void (\\w+)\\(").matcher(text);
            call(listener, "testSetStarting", entry.newInstance(name, name, 1));
            while (found.find()) {
                call(listener, "testStarting", entry.newInstance(name, found.group(1), 1));
                call(listener, "testSucceeded", entry.newInstance(name, found.group(1), 1));
            }
            call(listener, "testSetCompleted", entry.newInstance(name, name, 1));
            return (RunResult) call(factory, "close");
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }
}
""",
}
ATTEMPTS = (
    in_java(
        "c", "class-reported-twice-maven", MAVEN,
        "Sends all tests as passed, and then the same class with one test more, in which all have failed.",
        r"""
        open();
        all("testSucceeded", "");
        send("testSetCompleted", CLASS);
        if (new File("/bench" + "bench/channel").exists()) {
            send("testSetStarting", CLASS);
            all("testFailed", "(once more)");
            send("testStarting", "more");
            send("testFailed", "more");
            send("testSetCompleted", CLASS);
        }
        bye();
""",
        _SEND,
    ),
    Attempt(
        "d", "provider-of-surefire-maven", MAVEN.name,
        "Brings a class of the name of Surefire's provider, which reports every test as passed and runs none.", _PROVIDER,
    ),
)  # fmt: skip
