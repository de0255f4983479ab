<?php
final class BrokenTest extends NoSuchClass {}
